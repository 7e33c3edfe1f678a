package io.skerry.jobs.copy;

import io.skerry.filter.FilterSpec;
import io.skerry.jobs.argument.OptionCheck;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.Ranks;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The options of one run of {@code skerry convert}.
 *
 * @param ranks the ranks that run the command
 * @param in the file that contains the dataset
 * @param trust the policy for other files to which either file refers
 * @param from the path of the dataset
 * @param out the file of the copy, created if it does not exist
 * @param to the path of the copy
 * @param kind the direction of the conversion
 * @param chunk the chunk shape of the copy; empty for the chunk shape of the dataset
 * @param undefined the literal of the value that marks an undefined element; empty for the fill
 *     value
 * @param limit the limit on the total size of the elements to process
 * @param filters the filters of the copy, in the order in which they are applied when writing
 * @param report the form of the report
 */
public record ConvertOptions(
    Ranks ranks,
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

  /** The direction of the conversion. */
  public enum Kind {
    /** From dense to sparse. */
    SPARSE,
    /** From sparse to dense. */
    DENSE
  }

  public ConvertOptions {
    OptionCheck.atLeastOne("ranks", ranks.number());
    chunk = chunk.map(List::copyOf);
    filters = List.copyOf(filters);
  }
}
