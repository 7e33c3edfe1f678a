package io.skerry.jobs.run;

import io.skerry.mpi.internal.launch.Launcher;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The rank of this process and the number of ranks, as set by a parallel launcher in the
 * environment.
 *
 * @param rank the rank of this process; empty without a launcher, or if the launcher sets none
 * @param size the number of ranks; empty without a launcher, or if the launcher sets none
 */
public record Launch(OptionalInt rank, OptionalInt size) {
  private static final Duration REPORT_TIME = Duration.ofSeconds(2);

  /**
   * Returns the launch that an environment describes; rank and size are empty without a launcher.
   */
  public static Launch of(Map<String, String> environment) {
    return Launcher.of(environment)
        .map(launcher -> new Launch(launcher.rank(), launcher.size()))
        .orElse(new Launch(OptionalInt.empty(), OptionalInt.empty()));
  }

  /** Returns whether a parallel launcher started this process and has set its rank. */
  public boolean isLaunched() {
    return rank.isPresent();
  }

  /** Returns whether this process is rank 0 or the only process, and thus prints for all ranks. */
  public boolean isFirst() {
    return rank.orElse(0) == 0;
  }

  /**
   * Waits two seconds on every rank except rank 0, so that rank 0 can report the same failure
   * first. The launcher ends the job when a rank exits with an error, so another rank could
   * otherwise end it before rank 0 has printed the error.
   */
  public void letFirstEndTheJob() {
    if (isFirst()) {
      return;
    }
    try {
      Thread.sleep(REPORT_TIME);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
