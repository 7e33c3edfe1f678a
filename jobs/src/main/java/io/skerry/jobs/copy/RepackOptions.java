package io.skerry.jobs.copy;

import io.skerry.jobs.argument.OptionCheck;
import io.skerry.jobs.argument.StorageRule;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.report.ReportForm;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.List;

/**
 * One run of {@code skerry repack}.
 *
 * @param ranks ranks asked for; under a launcher that started another number, the launcher's holds
 * @param in the file to rewrite
 * @param trust policy for the other files that the file names
 * @param out where the new one goes
 * @param existing whether a file of that name may be replaced
 * @param rules what is to be stored otherwise, in the order given
 */
public record RepackOptions(
    int ranks,
    Path in,
    Trust trust,
    Path out,
    ExistingOutput existing,
    List<StorageRule> rules,
    ReportForm report) {
  public RepackOptions {
    OptionCheck.atLeastOne("ranks", ranks);
    rules = List.copyOf(rules);
  }
}
