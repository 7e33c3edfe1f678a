package io.skerry.jobs.pca;

import io.skerry.jobs.run.CommandContext;
import java.util.function.ToIntFunction;

/** Runs {@code pca}: computes the principal components of frames. Collective over all ranks. */
public final class PcaHandler implements ToIntFunction<PcaOptions> {
  private final CommandContext context;

  public PcaHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(PcaOptions options) {
    return context.onRanks(
        options.ranks(),
        world -> {
          MemoryBudget budget = MemoryBudget.of(world, context.environment());
          return new PcaJob(options, budget, context.environment()).run(world);
        },
        options.report());
  }
}
