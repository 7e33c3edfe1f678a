package io.skerry.jobs.interchange;

import io.skerry.filter.FilterSpec;
import io.skerry.jobs.argument.FileArgument;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The options of one run of {@code skerry import}.
 *
 * @param in the input: a text file, or a group or dataset of an HDF5 file
 * @param trust the policy for other files to which either file refers
 * @param form the form of the input
 * @param out the file of the sparse dataset, created if it does not exist
 * @param to the path of the sparse dataset
 * @param chunk the chunk shape of the sparse dataset; empty for an automatic choice
 * @param undefined the literal of the value that marks an undefined element of a dense dataset;
 *     empty for the mask or the fill value of the dataset
 * @param type the name of the element type, for a text file; empty for the type that the file
 *     implies
 * @param limit the limit on the size of the elements that are read from HDF5 datasets
 * @param filters the filters of the sparse dataset
 * @param report the form of the report
 */
public record ImportOptions(
    FileArgument in,
    Trust trust,
    InterchangeForm form,
    Path out,
    String to,
    Optional<List<Long>> chunk,
    Optional<String> undefined,
    Optional<String> type,
    WorkLimit limit,
    List<FilterSpec> filters,
    ReportForm report) {
  public ImportOptions {
    chunk = chunk.map(List::copyOf);
    filters = List.copyOf(filters);
  }
}
