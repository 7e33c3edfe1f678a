package io.skerry.jobs.copy;

import io.skerry.jobs.argument.OptionCheck;
import io.skerry.jobs.argument.StorageRule;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.Ranks;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.List;

/**
 * The options of one run of {@code skerry repack}.
 *
 * @param ranks the ranks that run the command
 * @param in the file to rewrite
 * @param trust the policy for other files to which the file refers
 * @param out the new file
 * @param existing the treatment of an existing output file
 * @param rules the changes to the storage: first chunk shapes, then filters, then layouts, each in
 *     the order of the command line
 * @param virtual the treatment of virtual datasets
 * @param report the form of the report
 */
public record RepackOptions(
    Ranks ranks,
    Path in,
    Trust trust,
    Path out,
    ExistingOutput existing,
    List<StorageRule> rules,
    Virtual virtual,
    ReportForm report) {
  /** The treatment of virtual datasets to which no rule with a path applies. */
  public enum Virtual {
    /** The mappings are copied as they are. */
    KEEP,
    /** The elements are copied. */
    MATERIALIZE,
    /** The mappings are copied, with file names changed to refer to the same files as before. */
    REBASE
  }

  public RepackOptions {
    OptionCheck.atLeastOne("ranks", ranks.number());
    rules = List.copyOf(rules);
  }
}
