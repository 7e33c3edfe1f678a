package io.skerry.jobs.lcls;

import io.skerry.chunk.text.PrintableText;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.run.CommandContext;
import io.skerry.mpi.Communicator;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;

/**
 * Runs {@code lcls}: writes frames to a sparse file, reads them back and prints a report.
 * Collective over all ranks.
 */
public final class LclsHandler implements ToIntFunction<LclsOptions> {
  private final CommandContext context;
  private final FrameReader.Opener sources;
  private final BooleanSupplier stopping;

  public LclsHandler(CommandContext context) {
    this(context, FrameReader::open, () -> false);
  }

  /**
   * Creates a handler for tests.
   *
   * @param sources a function that opens the source of the frames
   * @param stopping a function that returns true if this rank should stop even without the signal
   */
  public LclsHandler(CommandContext context, FrameReader.Opener sources, BooleanSupplier stopping) {
    this.context = context;
    this.sources = sources;
    this.stopping = stopping;
  }

  @Override
  public int applyAsInt(LclsOptions options) {
    try (StopSignal signal = StopSignal.listen()) {
      BooleanSupplier stop = () -> signal.getAsBoolean() || stopping.getAsBoolean();
      return context.onRanks(options.ranks(), world -> run(options, world, stop));
    }
  }

  private int run(LclsOptions options, Communicator world, BooleanSupplier stop) {
    LclsOutcome outcome = LclsJob.run(options, world, context.environment(), sources, stop);
    if (world.rank() == 0) {
      print(outcome, options.report());
    }
    return outcome.exitCode();
  }

  private void print(LclsOutcome outcome, LclsOptions.ReportFormat format) {
    switch (format) {
      case TABLE -> context.out().print(outcome.toTable());
      case JSON -> context.out().println(outcome.toJson());
    }
    context.out().flush();
    if (outcome instanceof InterruptedRun interrupted) {
      System.err.println("skerry: " + PrintableText.text(interrupted.hint()));
    }
  }
}
