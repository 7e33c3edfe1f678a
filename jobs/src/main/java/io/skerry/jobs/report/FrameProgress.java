package io.skerry.jobs.report;

import io.skerry.jobs.lcls.LclsOptions.Progress;
import io.skerry.jobs.run.Launch;
import java.util.Map;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * How many frames are done, as a bar on standard error: on the first rank only, and only where the
 * launcher found a terminal there (a rank under mpirun cannot tell, its streams are pipes).
 */
public final class FrameProgress implements AutoCloseable {
  /** Set by the launcher if standard error is a terminal. */
  static final String TERMINAL = "SKERRY_TERMINAL";

  private static final int WIDTH = 79;

  private final Optional<ProgressBar> bar;

  private FrameProgress(Optional<ProgressBar> bar) {
    this.bar = bar;
  }

  /** A bar for {@code frames} frames of one phase, or nothing where nobody would see it. */
  public static FrameProgress of(
      Progress wanted, String phase, long frames, Map<String, String> environment) {
    boolean seen = Launch.of(environment).isFirst() && environment.containsKey(TERMINAL);
    if (wanted == Progress.NONE || !seen) {
      return new FrameProgress(Optional.empty());
    }
    return new FrameProgress(
        Optional.of(
            new ProgressBarBuilder()
                .setTaskName(phase)
                .setInitialMax(frames)
                .setUnit(" frames", 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
                .build()));
  }

  /** Says that so many more frames are done. */
  public void advance(long frames) {
    bar.ifPresent(shown -> shown.stepBy(frames));
  }

  @Override
  public void close() {
    bar.ifPresent(ProgressBar::close);
  }
}
