package io.skerry.jobs.lcls;

/** Adds up the time between starts and stops. */
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
