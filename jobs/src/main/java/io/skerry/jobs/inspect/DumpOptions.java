package io.skerry.jobs.inspect;

import io.skerry.jobs.report.ReportForm;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One run of {@code skerry dump}.
 *
 * @param trust policy for the other files that the file names
 * @param object path of a dataset, or of the object that has the attribute
 * @param selection the part of the dataset to print, as typed; all of it if absent
 * @param attribute name of the attribute to print instead of a dataset
 */
public record DumpOptions(
    Path file,
    Trust trust,
    String object,
    Optional<String> selection,
    Optional<String> attribute,
    ReportForm form) {}
