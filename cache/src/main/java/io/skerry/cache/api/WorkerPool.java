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
 * The threads of one rank that encode, decode and filter chunks: the calling thread and helper
 * threads. Helpers never call MPI and never wait for another rank; each is started when it is first
 * needed.
 */
public final class WorkerPool implements AutoCloseable {
  private final int helpers;
  private final ExecutorService threads;
  private volatile boolean closed;

  /** A thread that is never started; it represents any thread other than the calling one. */
  private final Thread otherThread = Thread.ofPlatform().unstarted(() -> {});

  /**
   * Creates a pool without starting any thread.
   *
   * @param workers maximum number of threads that share the tasks of a call, including the calling
   *     one; at least 1. Even with 1, a helper runs the tasks of {@link #whenIdle}
   * @throws IllegalArgumentException if the number is less than 1
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
   * Runs tasks and waits for all of them. The calling thread runs tasks too. It therefore waits
   * only for tasks that helpers have started, never for a helper to start one. After a task has
   * failed, later tasks are not started.
   *
   * @return the results in task order
   * @throws RuntimeException the first failure in task order, thrown only after all started tasks
   *     have ended, so that no task still uses memory of the caller; a checked exception is the
   *     cause of an {@link IllegalStateException}, and an {@link Error} is thrown unchanged
   */
  public <T> List<T> runAll(List<? extends Callable<T>> tasks) {
    return run(tasks, helpers);
  }

  /**
   * Like {@link #runAll(List)}, but for tasks that use memory that other code has provided. If only
   * the calling thread may access the memory, as with a confined arena, that thread runs all tasks.
   *
   * @param memory the memory that the tasks use
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
   * Starts tasks on helpers while the calling thread continues.
   *
   * @param memory the memory that the tasks use and that other code has provided; if only the
   *     calling thread may access this memory, no task is started before that thread requests the
   *     results
   * @return the tasks; the caller must close this object
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

  /** Tasks that helpers may have started. For use by the thread that called {@link #begin}. */
  public static final class Begun<T> implements AutoCloseable {
    private final Batch<T> batch;
    private boolean ended;

    private Begun(Batch<T> batch) {
      this.batch = batch;
    }

    /**
     * Runs the tasks that no helper has started, and waits for the others. May be called only once.
     *
     * @return the results in task order
     * @throws RuntimeException the first failure in task order, after all started tasks have ended;
     *     later tasks may not have been started
     */
    public List<T> results() {
      batch.run();
      ended = true;
      return batch.results();
    }

    /**
     * Drops the tasks that no helper has started, and waits for the others. Afterwards, no task
     * uses the memory of the caller.
     */
    @Override
    public void close() {
      if (!ended) {
        ended = true;
        batch.drop();
      }
    }
  }

  private boolean isForAnyone(List<MemorySegment> memory) {
    return memory.stream().allMatch(segment -> segment.isAccessibleBy(otherThread));
  }

  /**
   * Passes a batch to a helper.
   *
   * @return true if the pool accepted the batch; if false, the calling thread runs the tasks
   */
  private boolean isTaken(Runnable batch) {
    try {
      threads.execute(batch);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The pool is closed, or the system cannot create another thread. Helpers may already be
      // running the batch, so the rejection must not make the caller fail.
      return false;
    }
  }

  /**
   * Returns the threads that may access the given memory: all threads of the pool, or only the
   * calling thread if no other thread may access the memory, as with a confined arena.
   *
   * @param memory the memory that tasks will use
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

  /** A group of threads that run tasks together. */
  public interface Crew {
    /** Runs tasks and waits for all of them, like {@link WorkerPool#runAll(List)}. */
    <T> List<T> runAll(List<? extends Callable<T>> tasks);
  }

  /**
   * Runs a task on a helper when one is idle. The caller does not wait for the task. If the pool is
   * closed before the task starts, the task is dropped.
   *
   * @return false if the task will not run, because the pool is closed or the system cannot create
   *     another thread
   */
  public boolean whenIdle(Runnable task) {
    try {
      threads.execute(() -> {
        if (!closed) {
          task.run();
        }
      });
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The pool is closed, or the system cannot create another thread. The task would only
      // benefit later requests, so the caller's request must not fail.
      return false;
    }
    return true;
  }

  /** Result of a task. */
  private sealed interface Outcome<T> {}

  private record Done<T>(T result) implements Outcome<T> {}

  private record Failed<T>(Throwable cause) implements Outcome<T> {}

  /**
   * Tasks that several threads take one at a time. The queue of the pool may still contain the
   * batch after all its tasks have ended. The batch therefore releases the tasks and their results
   * when the caller has received the results.
   */
  private static final class Batch<T> implements Runnable {
    private volatile List<? extends Callable<T>> tasks;
    private final AtomicInteger next = new AtomicInteger();

    /** The index of the first task that has failed so far. */
    private final AtomicInteger failed = new AtomicInteger(Integer.MAX_VALUE);

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
        // A damaged file can make millions of tasks fail, and only the first failure is reported.
        if (index < failed.get()) {
          ended.set(index, outcome(index, mine.get(index)));
        }
        running.countDown();
        index = next.getAndIncrement();
      }
    }

    // Everything that a task throws, including errors, is passed to the caller. If a throwable left
    // this method, the caller would wait forever.
    @SuppressWarnings("CatchingUnchecked")
    private Outcome<T> outcome(int index, Callable<T> task) {
      try {
        return new Done<>(task.call());
      } catch (Throwable failure) {
        failed.accumulateAndGet(index, Math::min);
        return new Failed<>(failure);
      }
    }

    /** Prevents further tasks from starting, and waits for those that were started. */
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

  /**
   * Waits for tasks that helpers have started, and drops the tasks of {@link #whenIdle} that have
   * not started.
   */
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
