package io.skerry.jobs.lcls;

/** Sums the times between {@link #start} and {@link #stop}. */
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
