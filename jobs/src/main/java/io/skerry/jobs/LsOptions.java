package io.skerry.jobs;

import java.nio.file.Path;

/** One run of {@code skerry ls}. */
public record LsOptions(Path file) {}
