package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A task that runs on its own thread. Tests do not depend on its duration; an expected event that
 * does not occur within 30 seconds is a failure.
 */
public final class Task<T> {
  public static final long PATIENCE_SECONDS = 30;

  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final Thread thread;

  private Task(Callable<T> task) {
    thread = Thread.ofPlatform().daemon().unstarted(() -> run(task));
  }

  // The test reports all failures of the thread.
  @SuppressWarnings("CatchingUnchecked")
  private void run(Callable<T> task) {
    try {
      result.complete(task.call());
    } catch (Throwable e) {
      result.completeExceptionally(e);
    }
  }

  public static <T> Task<T> start(Callable<T> task) {
    Task<T> started = new Task<>(task);
    started.thread.start();
    return started;
  }

  public static Task<Boolean> run(Runnable task) {
    return start(() -> {
      task.run();
      return true;
    });
  }

  public void interrupt() {
    thread.interrupt();
  }

  public boolean isDone() {
    return result.isDone();
  }

  /** Waits until the thread is waiting or has ended. */
  public Task<T> awaitStill() {
    long begin = System.nanoTime();
    int seen = 0;
    while (seen < 5 && !result.isDone()) {
      Thread.State state = thread.getState();
      boolean waits =
          state == Thread.State.WAITING
              || state == Thread.State.TIMED_WAITING
              || state == Thread.State.BLOCKED;
      seen = waits ? seen + 1 : 0;
      LockSupport.parkNanos(200_000);
      assertTrue(
          System.nanoTime() - begin < PATIENCE_SECONDS * 1_000_000_000, "a thread goes on and on");
    }
    return this;
  }

  /** Returns the result. */
  public T get() {
    return switch (outcome()) {
      case Failed(var cause) -> fail(cause);
      case Done<?> _ -> result.join();
    };
  }

  /** Waits for the result without a time limit and returns it. */
  T getWhenever() {
    try {
      return result.get();
    } catch (ExecutionException e) {
      return fail(e.getCause());
    } catch (InterruptedException e) {
      return fail(e);
    }
  }

  /** Returns the exception with which the task failed. */
  public Throwable failure() {
    return switch (outcome()) {
      case Failed(var cause) -> cause;
      case Done(var value) -> fail("did not fail: " + value);
    };
  }

  private sealed interface Outcome {}

  private record Failed(Throwable cause) implements Outcome {}

  private record Done<T>(T value) implements Outcome {}

  private Outcome outcome() {
    try {
      return new Done<>(result.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return new Failed(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      StringBuilder where = new StringBuilder("still at it:");
      for (StackTraceElement element : thread.getStackTrace()) {
        where.append("\n  ").append(element);
      }
      return fail(where.toString());
    }
  }
}
