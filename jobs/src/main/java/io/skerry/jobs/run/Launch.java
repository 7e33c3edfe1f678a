package io.skerry.jobs.run;

import io.skerry.mpi.internal.launch.Launcher;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;

/** What a parallel launcher told this process about itself through the environment. */
public record Launch(OptionalInt rank, OptionalInt size) {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** The launch that {@code environment} tells of; empty in both parts for a plain process. */
  public static Launch of(Map<String, String> environment) {
    return Launcher.of(environment)
        .map(launcher -> new Launch(launcher.rank(), launcher.size()))
        .orElse(new Launch(OptionalInt.empty(), OptionalInt.empty()));
  }

  /** Whether a launcher started this process, as one of one or more ranks. */
  public boolean isLaunched() {
    return rank.isPresent();
  }

  /** Whether this process speaks for all: rank 0, or the only process there is. */
  public boolean isFirst() {
    return rank.orElse(0) == 0;
  }

  /**
   * Waits, on all ranks but the first, as long as the first needs to report the same failure. Its
   * exit ends the job and this process with it, so whoever returns has met a failure of its own.
   * Without this, whichever rank is fastest ends the job, perhaps before the first has spoken.
   */
  public void letFirstEndTheJob() {
    if (isFirst()) {
      return;
    }
    try {
      Thread.sleep(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
