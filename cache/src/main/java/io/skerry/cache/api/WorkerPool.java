package io.skerry.cache.api;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The threads of one rank that encode, decode and filter: the one that asks, and helpers. Helpers
 * never call MPI and never wait for another rank. They start with the first work that there is for
 * them; whoever opens a file only to look into it has none.
 */
public final class WorkerPool implements AutoCloseable {
  private final int helpers;
  private final ExecutorService threads;
  private volatile boolean closed;

  /** Never started: any thread but the calling one. */
  private final Thread stranger = Thread.ofPlatform().unstarted(() -> {});

  /**
   * @param workers number of threads, the one that asks among them; at least 1
   */
  public WorkerPool(int workers) {
    if (workers < 1) {
      throw new IllegalArgumentException("there must be a worker: workers=" + workers);
    }
    helpers = workers - 1;
    threads =
        Executors.newFixedThreadPool(
            Math.max(1, helpers), Thread.ofPlatform().daemon().name("skerry-worker-", 0).factory());
  }

  /**
   * Runs the tasks and waits for all of them. The calling thread takes its share, so that it never
   * waits for a helper that the machine has no time for, but only for tasks that helpers have
   * begun.
   *
   * @return results in task order
   * @throws RuntimeException the first failure in task order, after every task has ended, so that
   *     no task still uses memory that the caller takes back
   */
  public <T> List<T> runAll(List<? extends Callable<T>> tasks) {
    return run(tasks, helpers);
  }

  /**
   * The same for tasks that use memory of somebody else: what belongs to the calling thread alone,
   * as that of a confined arena does, is left to it.
   */
  public <T> List<T> runAll(List<MemorySegment> memory, List<? extends Callable<T>> tasks) {
    return crew(memory).runAll(tasks);
  }

  private <T> List<T> run(List<? extends Callable<T>> tasks, int most) {
    Batch<T> batch = new Batch<>(tasks);
    int wanted = Math.min(most, tasks.size() - 1);
    int asked = 0;
    while (asked < wanted && isTaken(batch)) {
      asked++;
    }
    batch.run();
    return batch.results();
  }

  /**
   * Lets helpers begin with tasks while the calling thread does something else.
   *
   * @param memory of somebody else that the tasks use: what belongs to the calling thread alone is
   *     left to it, and nothing is begun before it asks for the results
   */
  public <T> Begun<T> begin(List<MemorySegment> memory, List<? extends Callable<T>> tasks) {
    Batch<T> batch = new Batch<>(tasks);
    int most = isForAnyone(memory) ? Math.min(helpers, tasks.size()) : 0;
    int asked = 0;
    while (asked < most && isTaken(batch)) {
      asked++;
    }
    return new Begun<>(batch);
  }

  /** Tasks that helpers may have begun. For the thread that had them begun. */
  public static final class Begun<T> implements AutoCloseable {
    private final Batch<T> batch;
    private boolean ended;

    private Begun(Batch<T> batch) {
      this.batch = batch;
    }

    /**
     * Does what nobody has begun, and waits for the rest. Once.
     *
     * @return results in task order
     * @throws RuntimeException the first failure in task order, after every task has ended
     */
    public List<T> results() {
      batch.run();
      ended = true;
      return batch.results();
    }

    /** Drops what nobody has begun, and waits for the rest: no task uses memory any more. */
    @Override
    public void close() {
      if (!ended) {
        ended = true;
        batch.drop();
      }
    }
  }

  private boolean isForAnyone(List<MemorySegment> memory) {
    return memory.stream().allMatch(segment -> segment.isAccessibleBy(stranger));
  }

  /** Asks a helper; what none can be had for is left to who asks. */
  private boolean isTaken(Runnable batch) {
    try {
      threads.execute(batch);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The pool is closed, or the system gives no more threads. Those asked before may be at work
      // already, so nobody may leave now.
      return false;
    }
  }

  /**
   * Those of the threads that may use some memory: of what belongs to the calling thread alone, as
   * the memory of a confined arena does, that thread only.
   */
  public Crew crew(List<MemorySegment> memory) {
    int most = isForAnyone(memory) ? helpers : 0;
    return new Crew() {
      @Override
      public <T> List<T> runAll(List<? extends Callable<T>> tasks) {
        return run(tasks, most);
      }
    };
  }

  /** Threads that work together. */
  public interface Crew {
    /** As {@link WorkerPool#runAll(List)}. */
    <T> List<T> runAll(List<? extends Callable<T>> tasks);
  }

  /** Has a helper do something when it has time; nobody waits for it. Lost if the pool closes. */
  public void whenIdle(Runnable task) {
    try {
      threads.execute(() -> {
        if (!closed) {
          task.run();
        }
      });
    } catch (RejectedExecutionException e) {
      // The file is being closed, and the task was of use for later requests only.
      return;
    }
  }

  /** How a task ended. */
  private sealed interface Outcome<T> {}

  private record Done<T>(T result) implements Outcome<T> {}

  private record Failed<T>(Throwable cause) implements Outcome<T> {}

  /**
   * Tasks that whoever has time takes one after the other. A helper that has no time before they
   * have ended still has the batch in its queue, so it does not keep what they needed and made.
   */
  private static final class Batch<T> implements Runnable {
    private volatile List<? extends Callable<T>> tasks;
    private final AtomicInteger next = new AtomicInteger();
    private volatile AtomicReferenceArray<Outcome<T>> outcomes;
    private final CountDownLatch running;

    Batch(List<? extends Callable<T>> tasks) {
      this.tasks = tasks;
      this.outcomes = new AtomicReferenceArray<>(tasks.size());
      this.running = new CountDownLatch(tasks.size());
    }

    @Override
    public void run() {
      List<? extends Callable<T>> mine = tasks;
      AtomicReferenceArray<Outcome<T>> ended = outcomes;
      int index = next.getAndIncrement();
      while (index < mine.size()) {
        ended.set(index, outcome(mine.get(index)));
        running.countDown();
        index = next.getAndIncrement();
      }
    }

    // Whatever a task throws belongs to the caller, errors included; only that frees who waits.
    @SuppressWarnings("CatchingUnchecked")
    private Outcome<T> outcome(Callable<T> task) {
      try {
        return new Done<>(task.call());
      } catch (Throwable failure) {
        return new Failed<>(failure);
      }
    }

    /** Lets nobody begin another task, and waits for those that were begun. */
    void drop() {
      int all = tasks.size();
      for (int index = next.getAndAdd(all); index < all; index++) {
        running.countDown();
      }
      await();
      tasks = List.of();
      outcomes = new AtomicReferenceArray<>(0);
    }

    List<T> results() {
      await();
      AtomicReferenceArray<Outcome<T>> ended = outcomes;
      tasks = List.of();
      outcomes = new AtomicReferenceArray<>(0);
      List<T> results = new ArrayList<>(ended.length());
      for (int i = 0; i < ended.length(); i++) {
        switch (ended.get(i)) {
          case Done<T>(T result) -> results.add(result);
          case Failed<T>(Throwable cause) -> throw asUnchecked(cause);
        }
      }
      return results;
    }

    private void await() {
      boolean interrupted = false;
      while (true) {
        try {
          running.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException asUnchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      default -> new IllegalStateException("worker failed", failure);
    };
  }

  /** Waits for what helpers have begun, and drops what they have not. */
  @Override
  public void close() {
    closed = true;
    threads.shutdown();
    boolean interrupted = false;
    while (true) {
      try {
        if (threads.awaitTermination(1, TimeUnit.HOURS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
