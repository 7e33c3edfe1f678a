package io.skerry.jobs.integrity;

import io.skerry.H5File;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.run.CommandContext;
import io.skerry.jobs.run.WorkBudget;
import java.io.PrintWriter;
import java.util.function.ToIntFunction;

/**
 * Runs {@code digest}: prints a digest of the content of a file. The exit code is 1 if the digest
 * is incomplete.
 */
public final class DigestHandler implements ToIntFunction<DigestOptions> {
  private final CommandContext context;

  public DigestHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(DigestOptions options) {
    return InputFile.read(
        context,
        options.ranks(),
        options.file(),
        options.trust(),
        (file, writer) -> print(file, options, writer));
  }

  private static int print(H5File file, DigestOptions options, PrintWriter writer) {
    DigestOutput to = new DigestOutput(writer, options.form());
    WorkBudget budget = new WorkBudget(options.limit(), "digest", WorkBudget.Effort.READ);
    DigestListing.walk(file, budget, to::entry);
    to.end();
    return to.isIncomplete() ? 1 : 0;
  }
}
