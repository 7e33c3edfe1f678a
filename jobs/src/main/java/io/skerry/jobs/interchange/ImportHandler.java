package io.skerry.jobs.interchange;

import io.skerry.jobs.run.CommandContext;
import java.util.function.ToIntFunction;

/** Runs {@code import}: creates a sparse dataset from data in another form. */
public final class ImportHandler implements ToIntFunction<ImportOptions> {
  private final CommandContext context;

  public ImportHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(ImportOptions options) {
    return context.onFirstRank(
        world -> new ImportJob(options, context.environment()).run(world), options.report());
  }
}
