package io.skerry.jobs.report;

import java.util.Map;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A progress bar on standard error. It is drawn on rank 0 only, and only if the script {@code
 * skerry} has found that standard error is a terminal; a rank under mpirun cannot determine that,
 * because its streams are pipes.
 */
public final class ProgressDisplay implements AutoCloseable {
  /** The environment variable that the script sets if standard error is a terminal. */
  static final String TERMINAL = "SKERRY_TERMINAL";

  private static final int WIDTH = 79;
  private static final long MEBIBYTE = 1 << 20;

  /** The size of the work in bytes below which no bar is drawn, because the work is short. */
  private static final long SMALLEST_FILE = 64 * MEBIBYTE;

  private final Optional<ProgressBar> bar;

  private ProgressDisplay(Optional<ProgressBar> bar) {
    this.bar = bar;
  }

  /** Returns a display that draws nothing. */
  public static ProgressDisplay none() {
    return new ProgressDisplay(Optional.empty());
  }

  /**
   * Starts the display for one phase of work on frames.
   *
   * @param phase the name of the phase
   * @param frames the number of frames in the phase
   * @param rank the rank of the caller
   * @param environment the environment of the process
   */
  public static ProgressDisplay ofFrames(
      String phase, long frames, int rank, Map<String, String> environment) {
    return isSeen(rank, environment) ? shown(phase, frames, " frames", 1) : none();
  }

  /**
   * Starts the display for work on one rank, with progress measured in bytes. No bar is drawn if
   * there are less than 64 MiB to process.
   *
   * @param phase the name of the work
   * @param bytes the number of bytes to process
   * @param environment the environment of the process
   */
  public static ProgressDisplay ofBytes(String phase, long bytes, Map<String, String> environment) {
    return ofBytes(phase, bytes, 0, environment);
  }

  /**
   * Starts the display for work on several ranks, with progress measured in bytes. No bar is drawn
   * if there are less than 64 MiB to process.
   *
   * @param phase the name of the work
   * @param bytes the number of bytes to process
   * @param rank the rank of the caller
   * @param environment the environment of the process
   */
  public static ProgressDisplay ofBytes(
      String phase, long bytes, int rank, Map<String, String> environment) {
    return isSeen(rank, environment) && bytes >= SMALLEST_FILE
        ? shown(phase, bytes, " MiB", MEBIBYTE)
        : none();
  }

  private static boolean isSeen(int rank, Map<String, String> environment) {
    return rank == 0 && environment.containsKey(TERMINAL);
  }

  private static ProgressDisplay shown(String phase, long amount, String unit, long scale) {
    return new ProgressDisplay(
        Optional.of(
            new ProgressBarBuilder()
                .setTaskName(phase)
                .setInitialMax(amount)
                .setUnit(unit, scale)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
                .build()));
  }

  /** Reports that further frames or bytes have been processed. */
  public void advance(long amount) {
    bar.ifPresent(shown -> shown.stepBy(amount));
  }

  @Override
  public void close() {
    bar.ifPresent(ProgressBar::close);
  }
}
