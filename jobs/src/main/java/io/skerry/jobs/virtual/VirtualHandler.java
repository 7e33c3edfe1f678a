package io.skerry.jobs.virtual;

import io.skerry.jobs.run.CommandContext;
import java.util.function.ToIntFunction;

/** Runs {@code virtual}: creates a virtual dataset over datasets of other files. */
public final class VirtualHandler implements ToIntFunction<VirtualOptions> {
  private final CommandContext context;

  public VirtualHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(VirtualOptions options) {
    return context.onFirstRank(new VirtualJob(options)::run, options.report());
  }
}
