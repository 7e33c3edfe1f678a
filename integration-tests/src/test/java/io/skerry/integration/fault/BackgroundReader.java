package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.parallel.CollectiveException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** A thread that reads beside the ranks, and its result or exception. */
record BackgroundReader(Thread thread, CompletableFuture<int[]> read) {
  static BackgroundReader start(Supplier<int[]> body) {
    CompletableFuture<int[]> read = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                read.complete(body.get());
              } catch (RuntimeException e) {
                read.completeExceptionally(e);
              }
            });
    return new BackgroundReader(thread, read);
  }

  /** Waits until the reader is blocked in a method of the class or has ended. */
  void awaitWaitingIn(String simpleName) {
    while (!read.isDone() && !isWaitingIn(thread, simpleName)) {
      Thread.onSpinWait();
    }
  }

  /** Returns the values read, or empty if the read was refused. */
  Optional<int[]> result() {
    try {
      return Optional.of(read.get());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } catch (ExecutionException e) {
      Throwable told = e.getCause() instanceof CollectiveException c ? c.getCause() : e.getCause();
      assertTrue(told instanceof IllegalStateException, () -> "refused: " + told);
      return Optional.empty();
    }
  }

  private static boolean isWaitingIn(Thread thread, String simpleName) {
    Thread.State state = thread.getState();
    return (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING)
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().endsWith("." + simpleName));
  }

  /** Waits until a thread is blocked in a method of the class. */
  static void awaitWaiting(Thread thread, String simpleName) {
    while (!isWaitingIn(thread, simpleName)) {
      Thread.onSpinWait();
    }
  }
}
