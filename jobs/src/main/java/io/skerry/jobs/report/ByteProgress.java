package io.skerry.jobs.report;

import java.util.Map;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * How much of a file is done, as a bar on standard error, only where the launcher found a terminal
 * there and only for files that take a while.
 */
public final class ByteProgress implements AutoCloseable {
  private static final int WIDTH = 79;
  private static final long UNIT = 1 << 20;
  private static final long LONG = 64 * UNIT;

  private final Optional<ProgressBar> bar;

  private ByteProgress(Optional<ProgressBar> bar) {
    this.bar = bar;
  }

  /** A bar for a file of so many bytes, or nothing where nobody would see it. */
  public static ByteProgress of(String phase, long bytes, Map<String, String> environment) {
    return of(phase, bytes, 0, environment);
  }

  /** The same on several ranks, of which the first draws. */
  public static ByteProgress of(
      String phase, long bytes, int rank, Map<String, String> environment) {
    boolean seen = rank == 0 && environment.containsKey(FrameProgress.TERMINAL);
    if (!seen || bytes < LONG) {
      return new ByteProgress(Optional.empty());
    }
    return new ByteProgress(
        Optional.of(
            new ProgressBarBuilder()
                .setTaskName(phase)
                .setInitialMax(bytes)
                .setUnit(" MiB", UNIT)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
                .build()));
  }

  /** Says that so many more bytes are done. */
  public void advance(long bytes) {
    bar.ifPresent(shown -> shown.stepBy(bytes));
  }

  @Override
  public void close() {
    bar.ifPresent(ProgressBar::close);
  }
}
