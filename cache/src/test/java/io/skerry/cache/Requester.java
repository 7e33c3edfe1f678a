package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A thread that makes one request and holds it until the test releases it. Tests observe the stage
 * of the request, never its duration. An expected event that does not occur within 30 seconds is a
 * failure.
 */
public final class Requester<T extends AutoCloseable> {
  private static final long PATIENCE = 30_000_000_000L;

  private final Thread thread;
  private final CountDownLatch released = new CountDownLatch(1);
  private volatile Stage stage = Stage.COMING;
  private volatile Optional<T> held = Optional.empty();
  private volatile Optional<Throwable> failure = Optional.empty();

  /** Stage of a request. */
  public enum Stage {
    COMING,
    RUNNING,
    ENDED,
    /** Ended with {@link RequestInterruptedException}; the interrupt flag is set. */
    INTERRUPTED,
    /** Ended with {@link IllegalStateException}. */
    REFUSED
  }

  private Requester(Supplier<T> request) {
    thread = Thread.ofVirtual().unstarted(() -> run(request));
  }

  /** Starts the thread, without waiting for any stage. */
  public static <T extends AutoCloseable> Requester<T> start(Supplier<T> request) {
    Requester<T> requester = new Requester<>(request);
    requester.thread.start();
    return requester;
  }

  /** Starts the thread and returns when its request runs. */
  public static <T extends AutoCloseable> Requester<T> running(Supplier<T> request) {
    Requester<T> requester = start(request);
    requester.awaitRunning();
    return requester;
  }

  /** Starts the thread and returns when it is parked and its request does not run yet. */
  public static <T extends AutoCloseable> Requester<T> waiting(Supplier<T> request) {
    Requester<T> requester = start(request);
    requester.awaitWaiting();
    return requester;
  }

  // The test reports all failures of the thread.
  @SuppressWarnings("CatchingUnchecked")
  private void run(Supplier<T> request) {
    try (T open = request.get()) {
      held = Optional.of(open);
      stage = Stage.RUNNING;
      released.await();
      open.close();
      stage = Stage.ENDED;
    } catch (RequestInterruptedException e) {
      if (Thread.interrupted()) {
        stage = Stage.INTERRUPTED;
      } else {
        failure = Optional.of(e);
      }
    } catch (IllegalStateException e) {
      stage = Stage.REFUSED;
    } catch (Throwable e) {
      failure = Optional.of(e);
    }
  }

  /** Returns the result of the request. */
  public T held() {
    return held.orElseThrow();
  }

  public Stage stage() {
    failure.ifPresent(e -> fail("a request failed", e));
    return stage;
  }

  /** Returns whether the thread is parked and its request does not run yet. */
  public boolean isWaiting() {
    return stage() == Stage.COMING && thread.getState() == Thread.State.WAITING;
  }

  /** Returns whether the thread executes a method of a class. */
  public boolean isInside(String className) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(className));
  }

  public void awaitRunning() {
    await(Stage.RUNNING);
  }

  public void awaitWaiting() {
    until(() -> isWaiting() || stage() != Stage.COMING);
    assertEquals(Stage.COMING, stage());
  }

  /** Ends the request and waits for its end. */
  public void end() {
    assertEquals(Stage.RUNNING, stage());
    released.countDown();
    await(Stage.ENDED);
  }

  /** Interrupts a waiting thread and waits for the end of its request. */
  public void interrupt() {
    thread.interrupt();
    await(Stage.INTERRUPTED);
  }

  public void await(Stage expected) {
    until(() -> stage() == expected || stage() == Stage.REFUSED);
    assertEquals(expected, stage());
  }

  /** Waits until a condition is true. */
  public static void until(BooleanSupplier condition) {
    long begin = System.nanoTime();
    for (int looks = 0; !condition.getAsBoolean(); looks++) {
      if (System.nanoTime() - begin > PATIENCE) {
        fail("nothing happens any more");
      }
      if (looks < 50) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(20_000);
      }
    }
  }
}
