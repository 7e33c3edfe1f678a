package io.skerry.mpi;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * Runs each rank as a thread of this JVM, for programs without an MPI library and for tests.
 *
 * <p>If the body of a rank throws, the other ranks throw an {@link MpiException}, normally of class
 * {@link MpiErrorClass#PEER_FAILED}: at once if they are waiting for another rank, otherwise when
 * they next communicate. After an {@link AgreedFailure} on which all ranks have agreed, calls that
 * need not wait for another rank still succeed. When all ranks have finished, the first throwable
 * is thrown to the caller, with the others suppressed. Runtime exceptions and errors are thrown
 * unchanged; checked exceptions are wrapped in an {@link UncheckedIOException} or a {@link
 * CompletionException}.
 *
 * <p>Mismatched collective calls, inconsistent sizes and deadlocks are detected and cause
 * exceptions. A {@link Schedule} can select interleavings that provoke such errors.
 *
 * <p>If a rank is interrupted while it waits for another rank, or if the thread that has started
 * the ranks is interrupted, all waits of the ranks for each other and all later calls fail with an
 * {@link MpiException} of class {@link MpiErrorClass#OTHER}; the interrupt flag stays set.
 */
public final class LocalRanks {
  private LocalRanks() {}

  /**
   * Runs the body on all ranks and returns when all have finished. Local, thread-safe.
   *
   * @param ranks the number of ranks, at least 1
   * @param body the program of each rank
   * @throws IllegalArgumentException if the number of ranks is less than 1
   * @throws RuntimeException if a rank fails with an exception; an {@link Error} is thrown
   *     unchanged
   */
  public static void run(int ranks, Body body) {
    run(ranks, Schedule.free(), body);
  }

  /**
   * Runs the body on all ranks under a schedule. Local, thread-safe.
   *
   * @param ranks the number of ranks, at least 1
   * @param schedule the interleaving of the ranks
   * @param body the program of each rank
   * @throws IllegalArgumentException if the number of ranks is less than 1
   * @throws RuntimeException if a rank fails with an exception; an {@link Error} is thrown
   *     unchanged
   */
  public static void run(int ranks, Schedule schedule, Body body) {
    call(
        ranks,
        schedule,
        world -> {
          body.run(world);
          return ranks;
        });
  }

  /**
   * Runs a function on all ranks and returns the results, by rank. Local, thread-safe.
   *
   * @param ranks the number of ranks, at least 1
   * @param function the function to run on each rank
   * @return the results, in rank order
   * @throws IllegalArgumentException if the number of ranks is less than 1
   * @throws RuntimeException if a rank fails with an exception, or its result is null; an {@link
   *     Error} is thrown unchanged
   */
  public static <T> List<T> call(int ranks, Function<T> function) {
    return call(ranks, Schedule.free(), function);
  }

  /**
   * Runs a function on all ranks under a schedule and returns the results, by rank. Local,
   * thread-safe.
   *
   * @param ranks the number of ranks, at least 1
   * @param schedule the interleaving of the ranks
   * @param function the function to run on each rank
   * @return the results, in rank order
   * @throws IllegalArgumentException if the number of ranks is less than 1
   * @throws RuntimeException if a rank fails with an exception, or its result is null; an {@link
   *     Error} is thrown unchanged
   */
  public static <T> List<T> call(int ranks, Schedule schedule, Function<T> function) {
    return Mpi.provider().callOnThreads(ranks, schedule, function);
  }

  /** A program that runs on each rank. */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs on every rank, in a thread of its own; each rank receives its own object for the same
     * communicator. Collective.
     *
     * @param world the communicator of all ranks
     * @throws Exception if the rank fails; {@link LocalRanks} states the consequences
     */
    void run(Communicator world) throws Exception;
  }

  /** A function that is computed on each rank. */
  @FunctionalInterface
  public interface Function<T> {
    /**
     * Runs on every rank, in a thread of its own; each rank receives its own object for the same
     * communicator. Collective.
     *
     * @param world the communicator of all ranks
     * @return the result of this rank, not null
     * @throws Exception if the rank fails; {@link LocalRanks} states the consequences
     */
    T call(Communicator world) throws Exception;
  }
}
