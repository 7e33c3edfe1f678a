package io.skerry.mpi;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * Runs n ranks as n threads of this JVM, for programs without an MPI library and for tests.
 *
 * <p>When a rank's body throws, every other rank that waits in a communicator gets an {@link
 * MpiException} of class {@link MpiErrorClass#PEER_FAILED} at once. When all are through, the first
 * throwable is thrown to the caller with the others suppressed: runtime exceptions and errors as
 * they are, checked ones inside {@link UncheckedIOException} or {@link CompletionException}.
 *
 * <p>Different collective calls meeting, sizes that do not fit and deadlocks are found and end in
 * an {@link MpiException} on every rank; see {@link Schedule} for orders that provoke them.
 */
public final class LocalRanks {
  private LocalRanks() {}

  /** Runs the body on all ranks and returns when all are through. */
  public static void run(int ranks, RankBody body) {
    run(ranks, Schedule.free(), body);
  }

  /** The same under a schedule. */
  public static void run(int ranks, Schedule schedule, RankBody body) {
    call(
        ranks,
        schedule,
        world -> {
          body.run(world);
          return ranks;
        });
  }

  /** The answers of all ranks, by rank. */
  public static <T> List<T> call(int ranks, RankFunction<T> function) {
    return call(ranks, Schedule.free(), function);
  }

  /** The same under a schedule. */
  public static <T> List<T> call(int ranks, Schedule schedule, RankFunction<T> function) {
    return Mpi.provider().callOnThreads(ranks, schedule, function);
  }
}
