package io.skerry.mpi;

import io.skerry.mpi.internal.local.LocalWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    var world = new LocalWorld(ranks, schedule);
    var outcome = new Outcome<T>(ranks);
    var threads = new ArrayList<Thread>(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      int own = rank;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("rank-" + rank)
              .start(() -> runRank(world, own, function, outcome)));
    }
    world.begin();
    join(world, threads);
    return outcome.answers();
  }

  private static <T> void runRank(
      LocalWorld world, int rank, RankFunction<T> function, Outcome<T> outcome) {
    try {
      outcome.answered(rank, function.call(world.enter(rank)));
      world.leave(rank);
    } catch (Throwable t) {
      outcome.failed(t);
      world.leave(rank, t);
    }
  }

  private static void join(LocalWorld world, List<Thread> threads) {
    boolean interrupted = false;
    for (var thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
          world.interrupt();
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Outcome<T> {
    private final List<Optional<T>> answers = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();

    Outcome(int ranks) {
      for (int rank = 0; rank < ranks; rank++) {
        answers.add(Optional.empty());
      }
    }

    synchronized void answered(int rank, T answer) {
      answers.set(rank, Optional.of(answer));
    }

    synchronized void failed(Throwable failure) {
      failures.add(failure);
    }

    synchronized List<T> answers() {
      if (failures.isEmpty()) {
        return answers.stream().map(Optional::orElseThrow).toList();
      }
      var first = failures.getFirst();
      for (var other : failures) {
        if (!other.equals(first)) {
          first.addSuppressed(other);
        }
      }
      switch (first) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case IOException e -> throw new UncheckedIOException(e);
        default -> throw new CompletionException(first);
      }
    }
  }
}
