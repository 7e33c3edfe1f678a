package io.skerry.jobs;

import java.nio.file.Path;
import java.util.Optional;

/**
 * One run of {@code skerry stat}.
 *
 * @param dataset path of a dataset; all of the file if absent
 * @param trial how chunked datasets are read, to see what the chunk cache does
 */
public record StatOptions(Path file, Optional<String> dataset, CacheTrial trial, ReportForm form) {}
