package io.skerry.jobs.stat;

import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One run of {@code skerry stat}.
 *
 * @param trust policy for the other files that the file names
 * @param dataset path of a dataset; all of the file if absent
 * @param trial how chunked datasets are read, to see what the chunk cache does
 * @param limit of the elements that are read for that, of all datasets together
 */
public record StatOptions(
    Path file,
    Trust trust,
    Optional<String> dataset,
    CacheTrial trial,
    WorkLimit limit,
    ReportForm form) {}
