package io.skerry.mpi.internal.local;

import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Schedule;
import io.skerry.mpi.internal.base.CheckedCommunicator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** The world of ranks that are threads of one JVM: their scheduler and their group. */
public final class LocalWorld {
  /** Does nothing: a world that is not part of an MPI job ends by itself when its ranks throw. */
  private static final IntConsumer WHOLE_JOB = _ -> {};

  private final RankScheduler scheduler;
  private final LocalGroup group;

  private LocalWorld(int ranks, Schedule schedule, String name, IntConsumer ending) {
    if (ranks < 1) {
      throw new IllegalArgumentException("a world needs a rank: ranks=" + ranks);
    }
    this.scheduler = new RankScheduler(ranks, new SeededChoices(schedule), ending);
    this.group =
        new LocalGroup(
            scheduler, name, IntStream.range(0, ranks).toArray(), Communicator.RankSet.of(ranks));
  }

  /**
   * Runs a function on ranks that are threads, and returns the results in the order of the ranks.
   *
   * @see io.skerry.mpi.LocalRanks
   */
  public static <T> List<T> call(int ranks, Schedule schedule, LocalRanks.Function<T> function) {
    var world = new LocalWorld(ranks, schedule, "world", WHOLE_JOB);
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
      LocalWorld world, int rank, LocalRanks.Function<T> function, Outcome<T> outcome) {
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

  /** Returns a new communicator of one rank, on which {@code close} has no effect. */
  public static Communicator self() {
    return new LocalWorld(1, Schedule.free(), "self", WHOLE_JOB).enter(0);
  }

  /**
   * Returns a communicator of one rank of an MPI job; the caller can close it.
   *
   * @param name the name of the communicator, for error messages
   * @param ending the action that ends the whole job with the given exit code; called by {@link
   *     Communicator#abort}
   */
  public static CheckedCommunicator alone(String name, IntConsumer ending) {
    var world = new LocalWorld(1, Schedule.free(), name, ending);
    world.scheduler.start(0);
    return new LocalCommunicator(world.group, 0, false);
  }

  /** Lets the first rank run if the schedule is serialized; has no effect otherwise. */
  private void begin() {
    scheduler.begin();
  }

  /** Registers the calling thread as a rank, and returns the communicator of that rank. */
  private Communicator enter(int rank) {
    scheduler.start(rank);
    return new LocalCommunicator(group, rank, true);
  }

  /** Records that a rank has finished. */
  private void leave(int rank) {
    scheduler.finish(rank);
  }

  /** Records that a rank has failed, and ends the waits of the other ranks. */
  private void leave(int rank, Throwable failure) {
    scheduler.poison(
        MpiErrorClass.PEER_FAILED,
        "rank %d failed with %s".formatted(rank, failure),
        !AgreedFailure.isAgreed(failure, group.rankSet()));
    scheduler.finish(rank);
  }

  /** Ends all waits, because the thread that started the ranks was interrupted. */
  private void interrupt() {
    scheduler.poison(MpiErrorClass.OTHER, "the ranks' owner was interrupted", true);
  }

  /** The results and failures of the ranks. */
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
