package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** Threads that run the same task concurrently and may interrupt each other. */
public final class Crowd {
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** The task of each thread. */
  public interface Task {
    /**
     * Runs the task.
     *
     * @param crowd all threads
     * @param thread number of the thread, from 0
     */
    public void run(Crowd crowd, int thread);
  }

  private Crowd() {}

  /** Runs a task on a number of threads and waits for all of them. */
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

  // The test reports all failures of a thread.
  @SuppressWarnings("CatchingUnchecked")
  private void run(Task task, int number) {
    try {
      task.run(this, number);
    } catch (Throwable e) {
      failures.add(e);
    }
  }

  /** Interrupts a random thread; the interrupt takes effect when the thread next waits. */
  public void interruptAny(Random random) {
    threads.get(random.nextInt(threads.size())).interrupt();
  }
}
