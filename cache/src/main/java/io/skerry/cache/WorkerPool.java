package io.skerry.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The threads of one rank that encode, decode and filter. They never call MPI and never wait for
 * another rank.
 */
public final class WorkerPool implements AutoCloseable {
  private final ExecutorService threads;

  /**
   * @param workers number of threads, at least 1
   */
  public WorkerPool(int workers) {
    threads =
        Executors.newFixedThreadPool(
            workers, Thread.ofPlatform().daemon().name("skerry-worker-", 0).factory());
  }

  /**
   * Runs the tasks and waits for all of them.
   *
   * @return results in task order
   * @throws RuntimeException the first failure in task order, after every task has ended, so that
   *     no task still uses memory that the caller takes back
   */
  public <T> List<T> runAll(List<? extends Callable<T>> tasks) {
    List<Future<T>> futures = new ArrayList<>(tasks.size());
    for (Callable<T> task : tasks) {
      futures.add(threads.submit(task));
    }
    List<T> results = new ArrayList<>(tasks.size());
    List<Throwable> failures = new ArrayList<>();
    boolean interrupted = false;
    for (Future<T> future : futures) {
      while (true) {
        try {
          results.add(future.get());
          break;
        } catch (ExecutionException e) {
          failures.add(e.getCause());
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!failures.isEmpty()) {
      throw asUnchecked(failures.getFirst());
    }
    return results;
  }

  private static RuntimeException asUnchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      default -> new IllegalStateException("worker failed", failure);
    };
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
