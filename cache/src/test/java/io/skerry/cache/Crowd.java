package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/** Threads that all run the same, at once. */
final class Crowd {
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private Crowd() {}

  /**
   * Starts the threads.
   *
   * @param task gets the number of its thread, from 0
   */
  static Crowd of(int threads, IntConsumer task) {
    Crowd crowd = new Crowd();
    for (int i = 0; i < threads; i++) {
      int number = i;
      crowd.threads.add(Thread.ofVirtual().start(() -> crowd.run(task, number)));
    }
    return crowd;
  }

  // Whatever goes wrong in a thread is the test's to report.
  @SuppressWarnings("CatchingUnchecked")
  private void run(IntConsumer task, int number) {
    try {
      task.accept(number);
    } catch (Throwable e) {
      failures.add(e);
    }
  }

  /** Interrupts a thread now and then until all have ended. */
  void finish(Random random) {
    Requester.until(() -> {
      if (random.nextInt(3) == 0) {
        threads.get(random.nextInt(threads.size())).interrupt();
      }
      return !failures.isEmpty() || threads.stream().noneMatch(Thread::isAlive);
    });
    if (!failures.isEmpty()) {
      fail(
          failures.stream().map(Throwable::toString).collect(Collectors.joining("; ")),
          failures.peek());
    }
  }
}
