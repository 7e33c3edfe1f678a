package io.skerry.jobs.integrity;

import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.Ranks;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.parallel.Trust;
import java.nio.file.Path;

/**
 * The options of one run of {@code skerry digest}.
 *
 * @param ranks the ranks that run the command; all compute ranks read if other ranks serve,
 *     otherwise only one rank reads
 * @param file the file, the pattern of a family, or the common name of a multi file
 * @param trust the policy for other files to which the file refers
 * @param limit the limit on the total size of the elements of all datasets
 * @param form the form of the output
 */
public record DigestOptions(
    Ranks ranks, Path file, Trust trust, WorkLimit limit, ReportForm form) {}
