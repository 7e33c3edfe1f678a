package io.skerry.jobs.integrity;

import io.skerry.jobs.file.WholeFileOptions;
import io.skerry.jobs.run.Ranks;

/**
 * The options of one run of {@code skerry verify}.
 *
 * @param ranks the ranks that run the command; the first one that only serves verifies the file, or
 *     rank 0 if there is none
 * @param file the file to verify
 */
public record VerifyOptions(Ranks ranks, WholeFileOptions file) {}
