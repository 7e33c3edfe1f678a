package io.skerry.jobs.copy;

import io.skerry.filter.FilterSpec;
import io.skerry.jobs.argument.OptionCheck;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One run of {@code skerry convert}.
 *
 * @param ranks ranks asked for; under a launcher that started another number, the launcher's holds
 * @param in file of the dataset
 * @param trust policy for the other files that the files name
 * @param from path of the dataset
 * @param out file of the copy, which is made if there is none
 * @param to path of the copy
 * @param kind from what to what
 * @param chunk shape of the copy's chunks; as those of the dataset if absent
 * @param undefined the value that stands for no element, as typed; the fill value if absent
 * @param limit of the elements that are worked through
 * @param filters of the copy
 */
public record ConvertOptions(
    int ranks,
    Path in,
    Trust trust,
    String from,
    Path out,
    String to,
    Kind kind,
    Optional<List<Long>> chunk,
    Optional<String> undefined,
    WorkLimit limit,
    List<FilterSpec> filters,
    ReportForm report) {

  /** From what to what. */
  public enum Kind {
    /** From dense to sparse. */
    SPARSE,
    /** From sparse to dense. */
    DENSE
  }

  public ConvertOptions {
    OptionCheck.atLeastOne("ranks", ranks);
    chunk = chunk.map(List::copyOf);
    filters = List.copyOf(filters);
  }
}
