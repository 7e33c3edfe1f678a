package io.skerry.jobs.pca;

import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.Launch;
import io.skerry.mpi.Communicator;
import java.util.Map;

/**
 * The memory that a rank may use for a computation.
 *
 * @param bytes the memory in bytes
 */
record MemoryBudget(long bytes) {
  /**
   * Returns the budget of a rank: two thirds of the maximum heap size, divided by the number of
   * ranks if the ranks are threads of this process.
   */
  static MemoryBudget of(Communicator ranks, Map<String, String> environment) {
    int sharing = Launch.of(environment).isLaunched() ? 1 : ranks.size();
    return new MemoryBudget(Runtime.getRuntime().maxMemory() / 3 * 2 / sharing);
  }

  /** Returns the budget divided by {@code divisor}, in bytes. */
  long part(int divisor) {
    return bytes / divisor;
  }

  /**
   * Checks that a computation fits into the budget.
   *
   * @param what a description of the data, including their size, for the error message
   * @param needed the memory that the computation needs, in bytes
   * @throws JobException if the computation exceeds the budget
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
