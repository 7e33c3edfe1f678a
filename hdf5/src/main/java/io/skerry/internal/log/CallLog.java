package io.skerry.internal.log;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Logs the calls on one file on one rank.
 *
 * @param rank the number of the rank
 * @param file the file that was opened
 */
record CallLog(System.Logger log, int rank, Path file) {

  /** Performs a call and logs it. */
  <T> T call(String what, Supplier<T> step) {
    long start = System.nanoTime();
    try {
      T result = step.get();
      line(what, start, "done");
      return result;
    } catch (RuntimeException | Error e) {
      // A failed call is logged like any other call, and the exception is rethrown.
      line(what, start, "failed: " + e.getMessage());
      throw e;
    }
  }

  /** Performs a call without a result and logs it. */
  void run(String what, Runnable step) {
    boolean unused =
        call(
            what,
            () -> {
              step.run();
              return true;
            });
  }

  private void line(String what, long start, String outcome) {
    if (log.isLoggable(Level.DEBUG)) {
      long micros = (System.nanoTime() - start) / 1000;
      log.log(
          Level.DEBUG,
          "rank=" + rank + " file=" + file + " " + what + " micros=" + micros + " " + outcome);
    }
  }
}
