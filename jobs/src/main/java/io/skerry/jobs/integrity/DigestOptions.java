package io.skerry.jobs.integrity;

import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.parallel.Trust;
import java.nio.file.Path;

/**
 * One run of {@code skerry digest}.
 *
 * @param file the file, the pattern of a family, or what the names of a multi file have in common
 * @param trust policy for the other files that the file names
 * @param limit of the elements of all datasets together
 */
public record DigestOptions(Path file, Trust trust, WorkLimit limit, ReportForm form) {}
