package io.skerry.jobs.copy;

import io.skerry.jobs.run.CommandContext;
import java.util.function.ToIntFunction;

/**
 * Runs {@code convert}: copies a dataset from dense to sparse storage or vice versa. Collective
 * over all ranks.
 */
public final class ConvertHandler implements ToIntFunction<ConvertOptions> {
  private final CommandContext context;

  public ConvertHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(ConvertOptions options) {
    return context.onRanks(
        options.ranks(),
        world -> new ConvertJob(options, context.environment()).run(world),
        options.report());
  }
}
