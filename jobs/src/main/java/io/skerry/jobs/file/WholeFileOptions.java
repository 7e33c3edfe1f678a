package io.skerry.jobs.file;

import io.skerry.jobs.report.ReportForm;
import io.skerry.parallel.Trust;
import java.nio.file.Path;

/**
 * One run of a command that looks at a whole file: {@code ls}, {@code verify} or {@code recover}.
 *
 * @param file the file, the pattern of a family, or what the names of a multi file have in common
 * @param trust policy for the other files that the file names
 */
public record WholeFileOptions(Path file, Trust trust, ReportForm form) {}
