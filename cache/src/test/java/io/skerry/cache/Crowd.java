package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** Threads that all run the same, at once, and may interrupt each other. */
public final class Crowd {
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** What each thread runs. */
  public interface Task {
    /**
     * @param thread its number, from 0
     */
    public void run(Crowd crowd, int thread);
  }

  private Crowd() {}

  /** Runs a task in so many threads until all have ended. */
  public static void run(int threads, Task task) {
    Crowd crowd = new Crowd();
    for (int i = 0; i < threads; i++) {
      int number = i;
      crowd.threads.add(Thread.ofVirtual().unstarted(() -> crowd.run(task, number)));
    }
    crowd.threads.forEach(Thread::start);
    Requester.until(
        () -> !crowd.failures.isEmpty() || crowd.threads.stream().noneMatch(Thread::isAlive));
    if (!crowd.failures.isEmpty()) {
      fail(
          crowd.failures.stream().map(Throwable::toString).collect(Collectors.joining("; ")),
          crowd.failures.peek());
    }
  }

  // Whatever goes wrong in a thread is the test's to report.
  @SuppressWarnings("CatchingUnchecked")
  private void run(Task task, int number) {
    try {
      task.run(this, number);
    } catch (Throwable e) {
      failures.add(e);
    }
  }

  /** Interrupts some thread, which notices when it waits the next time, if it does. */
  public void interruptAny(Random random) {
    threads.get(random.nextInt(threads.size())).interrupt();
  }
}
