package io.skerry.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Supplier;

/**
 * Reads boxes for a fixed duration on one or more threads. The time per read is the elapsed time
 * divided by the number of reads on all threads, so it halves if two threads do not slow each other
 * down.
 *
 * @param places the row and column of each box
 * @param millis the duration in milliseconds
 */
record Throughput(int[][] places, int millis) {
  /** The number of boxes that a thread reads before it checks the clock again. */
  private static final int BATCH = 64;

  /**
   * Reads boxes on the given number of threads.
   *
   * @param reader the supplier of a reader for each thread
   * @return a check with the time per read; its result is the sum over one pass, which must be the
   *     same on all threads
   */
  Race.Check run(int threads, Supplier<BoxReader> reader) throws IOException {
    CyclicBarrier start = new CyclicBarrier(threads);
    List<Callable<Count>> tasks = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      BoxReader own = reader.get();
      int first = thread * places.length / threads;
      tasks.add(() -> {
        long sum = pass(own);
        start.await();
        return count(own, first, sum);
      });
    }
    long reads = 0;
    long begin = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    List<Count> counts = Together.run(tasks);
    for (Count count : counts) {
      reads += count.reads();
      begin = Math.min(begin, count.begin());
      end = Math.max(end, count.end());
    }
    if (counts.stream().mapToLong(Count::sum).distinct().count() != 1) {
      throw new IllegalStateException("threads have read different values: " + counts);
    }
    return new Race.Timed((end - begin) / 1e9 / reads, counts.getFirst()::sum);
  }

  /**
   * The number of reads of a thread, the times of their beginning and end in nanoseconds, and the
   * sum over one pass.
   */
  private record Count(long reads, long begin, long end, long sum) {}

  private long pass(BoxReader reader) {
    long sum = 0;
    for (int[] place : places) {
      reader.read(place[0], place[1]);
      sum += reader.sum();
    }
    return sum;
  }

  private Count count(BoxReader reader, int first, long sum) {
    long begin = System.nanoTime();
    long deadline = begin + millis * 1_000_000L;
    long reads = 0;
    int at = first;
    long now = begin;
    while (now < deadline) {
      for (int i = 0; i < BATCH; i++) {
        int[] place = places[at];
        reader.read(place[0], place[1]);
        at = at + 1 == places.length ? 0 : at + 1;
      }
      reads += BATCH;
      now = System.nanoTime();
    }
    return new Count(reads, begin, now, sum);
  }
}
