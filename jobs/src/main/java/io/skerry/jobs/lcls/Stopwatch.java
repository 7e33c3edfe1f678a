package io.skerry.jobs.lcls;

/** Sums the time between pairs of start and stop. */
final class Stopwatch {
  private long started;
  private long total;

  void start() {
    started = System.nanoTime();
  }

  void stop() {
    total += System.nanoTime() - started;
  }

  long nanoseconds() {
    return total;
  }
}
