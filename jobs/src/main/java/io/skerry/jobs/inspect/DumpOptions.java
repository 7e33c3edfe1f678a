package io.skerry.jobs.inspect;

import io.skerry.jobs.report.ReportForm;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The options of one run of {@code skerry dump}.
 *
 * @param file the file
 * @param trust the policy for other files to which the file refers
 * @param object the absolute path of a dataset or map, or of the object that has the attribute
 * @param selection the text of the selection to print; empty for the whole dataset
 * @param attribute the name of the attribute to print; empty to print the dataset
 * @param form the form of the output
 */
public record DumpOptions(
    Path file,
    Trust trust,
    String object,
    Optional<String> selection,
    Optional<String> attribute,
    ReportForm form) {}
