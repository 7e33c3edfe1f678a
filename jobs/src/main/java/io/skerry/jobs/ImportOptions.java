package io.skerry.jobs;

import io.skerry.collective.Trust;
import io.skerry.filter.FilterSpec;
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
    FilePlace in,
    Trust trust,
    Interchange form,
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
