package io.skerry.jobs;

import java.nio.file.Path;

/**
 * One run of a command that looks at a whole file: {@code ls}, {@code digest}, {@code verify} or
 * {@code recover}.
 *
 * @param file the file, the pattern of a family, or what the names of a multi file have in common
 */
public record FileReport(Path file, ReportForm form) {}
