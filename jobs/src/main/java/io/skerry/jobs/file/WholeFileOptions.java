package io.skerry.jobs.file;

import io.skerry.jobs.report.ReportForm;
import io.skerry.parallel.Trust;
import java.nio.file.Path;

/**
 * The options of one run of a command that processes an entire file: {@code ls}, {@code verify} or
 * {@code recover}.
 *
 * @param file the file, the pattern of a family, or the common name of a multi file
 * @param trust the policy for other files to which the file refers
 * @param form the form of the report
 */
public record WholeFileOptions(Path file, Trust trust, ReportForm form) {}
