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
 * One run of {@code skerry export}.
 *
 * @param in file of the dataset
 * @param trust policy for the other files that the files name
 * @param from path of the dataset
 * @param out where it goes
 * @param form what it becomes
 * @param selection the part of the dataset, as typed; all of it if absent
 * @param limit of the elements that are worked through
 * @param filters of what is made in an HDF5 file
 * @param existing whether a text of that name may be replaced
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
