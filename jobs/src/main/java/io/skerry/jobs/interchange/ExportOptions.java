package io.skerry.jobs.interchange;

import io.skerry.filter.FilterSpec;
import io.skerry.jobs.argument.FileArgument;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The options of one run of {@code skerry export}.
 *
 * @param in the file that contains the dataset
 * @param trust the policy for other files to which either file refers
 * @param from the path of the dataset
 * @param out the output file, and the path of the group or dataset in it if given
 * @param form the form of the output
 * @param selection the text of the selection to export; empty for the whole dataset
 * @param limit the limit on the size of the processed elements
 * @param filters the filters of new HDF5 datasets
 * @param existing the treatment of an existing text file
 * @param report the form of the report
 */
public record ExportOptions(
    Path in,
    Trust trust,
    String from,
    FileArgument out,
    InterchangeForm form,
    Optional<String> selection,
    WorkLimit limit,
    List<FilterSpec> filters,
    ExistingOutput existing,
    ReportForm report) {
  public ExportOptions {
    filters = List.copyOf(filters);
  }
}
