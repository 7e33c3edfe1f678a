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
 * One run of {@code skerry import}.
 *
 * @param in what is read
 * @param trust policy for the other files that the files name
 * @param form what it is
 * @param out file of the sparse dataset, which is made if there is none
 * @param to path of the sparse dataset
 * @param chunk shape of its chunks; guessed if absent
 * @param undefined of a dense dataset: the value that stands for no element, as typed
 * @param type of a text: name of the type of the elements
 * @param limit of the elements of HDF5 datasets that are read
 * @param filters of the sparse dataset
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
