package io.skerry.jobs.interchange;

import io.skerry.jobs.run.CommandContext;
import java.util.function.ToIntFunction;

/** Runs {@code export}: writes a dataset in a form that other programs can read. */
public final class ExportHandler implements ToIntFunction<ExportOptions> {
  private final CommandContext context;

  public ExportHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(ExportOptions options) {
    return context.onFirstRank(
        world -> new ExportJob(options, context.environment()).run(world), options.report());
  }
}
