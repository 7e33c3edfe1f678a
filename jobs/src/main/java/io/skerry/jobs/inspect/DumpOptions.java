package io.skerry.jobs.inspect;

import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.Ranks;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The options of one run of {@code skerry dump}.
 *
 * @param ranks the ranks that run the command; all compute ranks read if other ranks serve,
 *     otherwise only one rank reads
 * @param file the file
 * @param trust the policy for other files to which the file refers
 * @param object the absolute path of a dataset or map, or of the object that has the attribute
 * @param selection the text of the selection to print; empty for the whole dataset
 * @param attribute the name of the attribute to print; empty to print the dataset
 * @param form the form of the output
 */
public record DumpOptions(
    Ranks ranks,
    Path file,
    Trust trust,
    String object,
    Optional<String> selection,
    Optional<String> attribute,
    ReportForm form) {}
