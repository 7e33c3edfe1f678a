package io.skerry.jobs.pca;

import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.Launch;
import io.skerry.mpi.Communicator;
import java.util.Map;

/**
 * How much memory a rank may take for a computation.
 *
 * @param bytes of the heap
 */
record MemoryBudget(long bytes) {
  /** Two thirds of the heap; ranks that are threads share one. */
  static MemoryBudget of(Communicator ranks, Map<String, String> environment) {
    int sharing = Launch.of(environment).isLaunched() ? 1 : ranks.size();
    return new MemoryBudget(Runtime.getRuntime().maxMemory() / 3 * 2 / sharing);
  }

  /** A part of it. */
  long part(int divisor) {
    return bytes / divisor;
  }

  /**
   * Refuses what does not fit.
   *
   * @param what is too large, with its size
   * @throws JobException if it is more than there is
   */
  void check(String what, long needed) {
    if (needed > bytes) {
      throw new JobException(
          "not enough memory for "
              + what
              + ": needed="
              + text(needed)
              + " available="
              + text(bytes)
              + "; SKERRY_JAVA_OPTS=-Xmx... gives each process more");
    }
  }

  private static String text(long bytes) {
    return bytes < 10L << 20 ? bytes + " bytes" : (bytes >> 20) + " MiB";
  }
}
