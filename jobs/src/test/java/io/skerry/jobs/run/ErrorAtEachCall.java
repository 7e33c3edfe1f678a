package io.skerry.jobs.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.collective.step.LocalStatus;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.file.MpiFile;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs a job again and again. Each time, rank 1 runs out of memory just before another one of its
 * calls on the communicator, or on a communicator or a file that is made from it. Afterwards,
 * either the ranks agree on the failure, or the rank leaves the job without another call that would
 * wait for the other ranks: {@link io.skerry.mpi.Mpi} then ends the job, with the error as the
 * reason.
 */
public final class ErrorAtEachCall {
  private static final int RANKS = 2;
  private static final int FAILING = 1;

  /** The calls that wait for no other rank. */
  private static final Set<String> LOCAL =
      Set.of(
          "rank",
          "size",
          "name",
          "rankSet",
          "callOrder",
          "another",
          "path",
          "component",
          "readAt",
          "writeAt",
          "scatterAt",
          "abandon",
          "equals",
          "hashCode",
          "toString");

  /** The classes within which no call fails. */
  private static final Set<String> EXCEPT =
      Set.of(LocalStatus.class.getName(), "io.skerry.collective.FileResources");

  /** A job that all ranks run. */
  @FunctionalInterface
  public interface Job {
    /**
     * Runs on every rank.
     *
     * @param folder an empty folder, equal on all ranks
     */
    void run(Communicator world, Path folder) throws Exception;
  }

  private final long failing;
  private final List<String> later = new ArrayList<>();
  private long calls;
  private boolean failed;

  private ErrorAtEachCall(long failing) {
    this.failing = failing;
  }

  /**
   * Runs a job until it makes no more calls.
   *
   * @param folder a folder in which each run has a folder of its own
   * @return the number of calls that failed
   */
  public static long check(Path folder, Job job) throws Exception {
    long failing = 0;
    while (runs(Files.createDirectory(folder.resolve("run" + failing)), failing, job)) {
      failing++;
    }
    return failing;
  }

  /** Runs a job once; returns whether it made the call that was to fail. */
  private static boolean runs(Path folder, long failing, Job job) {
    ErrorAtEachCall calls = new ErrorAtEachCall(failing);
    Map<Integer, Throwable> thrown = new ConcurrentHashMap<>();
    Map<Integer, Boolean> agreed = new ConcurrentHashMap<>();
    List<Integer> ended =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () ->
                ended(world -> {
                  Communicator own =
                      world.rank() == FAILING
                          ? (Communicator) calls.observed(world, Communicator.class)
                          : world;
                  try {
                    job.run(own, folder);
                  } catch (Throwable t) {
                    thrown.put(world.rank(), t);
                    agreed.put(world.rank(), AgreedFailure.isAgreed(t, world.rankSet()));
                    throw t;
                  }
                  return world.rank();
                }));
    String run = "call " + failing + ": " + thrown + " later calls: " + calls.later;
    if (!calls.failed) {
      assertEquals(Map.of(), thrown, run);
      assertEquals(RANKS, ended.size(), run);
      return false;
    }
    if (agreed.getOrDefault(FAILING, false)) {
      assertEquals(RANKS, thrown.size(), run);
      assertTrue(agreed.values().stream().allMatch(all -> all), run);
    } else {
      assertInstanceOf(OutOfMemoryError.class, thrown.get(FAILING), run);
      assertEquals(List.of(), calls.later, run);
    }
    return true;
  }

  private static List<Integer> ended(LocalRanks.Function<Integer> function) {
    try {
      return LocalRanks.call(RANKS, function);
    } catch (RuntimeException | Error e) {
      // The test examines what each rank has thrown.
      return List.of();
    }
  }

  private Object observed(Object target, Class<?> type) {
    InvocationHandler handler = (_, method, arguments) -> observe(target, method, arguments);
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
  }

  private Object observe(Object target, Method method, Object[] arguments) throws Throwable {
    boolean releases = target instanceof CallOrder && method.getName().equals("close");
    if (!LOCAL.contains(method.getName()) && !releases) {
      count(method.getName());
    }
    Object result;
    try {
      result = method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    Optional<Class<?>> observedType =
        List.of(Communicator.class, CallOrder.class, MpiFile.class).stream()
            .filter(type -> type.isInstance(result))
            .<Class<?>>map(type -> type)
            .findFirst();
    return observedType.isPresent() ? observed(result, observedType.get()) : result;
  }

  private void count(String call) {
    if (failed) {
      later.add(call);
    } else if (!isAttempted() && calls++ == failing) {
      failed = true;
      throw new OutOfMemoryError("injected before " + call);
    }
  }

  /**
   * Returns whether a {@link LocalStatus} keeps failures of this call until the next agreement.
   * Such a call takes part before it fails, so the error does not replace it.
   */
  private static boolean isAttempted() {
    return StackWalker.getInstance()
        .walk(frames ->
            frames.anyMatch(frame -> EXCEPT.contains(frame.getClassName())));
  }
}
