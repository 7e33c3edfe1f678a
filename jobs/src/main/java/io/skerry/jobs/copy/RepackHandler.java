package io.skerry.jobs.copy;

import io.skerry.jobs.run.CommandContext;
import java.util.function.ToIntFunction;

/** Runs {@code repack}: rewrites a file. Collective over all ranks. */
public final class RepackHandler implements ToIntFunction<RepackOptions> {
  private final CommandContext context;

  public RepackHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(RepackOptions options) {
    return context.onRanks(
        options.ranks(),
        world -> new RepackJob(options, context.environment()).run(world),
        options.report());
  }
}
