package io.skerry.jobs.stat;

import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The options of one run of {@code skerry stat}.
 *
 * @param file the file
 * @param trust the policy for other files to which the file refers
 * @param dataset the path of a dataset; empty for all datasets of the file
 * @param trial the reads of chunked datasets with which the chunk cache is measured
 * @param limit the limit on the total size of the elements that the trial reads from all datasets
 * @param form the form of the report
 */
public record StatOptions(
    Path file,
    Trust trust,
    Optional<String> dataset,
    CacheTrial trial,
    WorkLimit limit,
    ReportForm form) {}
