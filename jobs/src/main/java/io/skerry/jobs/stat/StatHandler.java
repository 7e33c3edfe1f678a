package io.skerry.jobs.stat;

import io.skerry.H5File;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.run.CommandContext;
import java.util.function.ToIntFunction;

/**
 * Runs {@code stat}: prints the space that datasets use in a file. The exit code is 1 if the
 * statistics are incomplete.
 */
public final class StatHandler implements ToIntFunction<StatOptions> {
  private final CommandContext context;

  public StatHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(StatOptions options) {
    return InputFile.read(context, options.file(), options.trust(), file -> print(file, options));
  }

  private int print(H5File file, StatOptions options) {
    return new StatReport(options, context.writer()).print(file) ? 0 : 1;
  }
}
