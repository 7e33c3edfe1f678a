package io.skerry.mpi.internal.local;

import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Schedule;
import io.skerry.mpi.internal.base.CheckedCommunicator;
import java.util.stream.IntStream;

/** The ranks of one JVM: their turnstile and their first group. */
public final class LocalWorld {
  private final RankScheduler turnstile;
  private final LocalGroup group;

  /** A world whose ranks still have to {@link #enter}. */
  public LocalWorld(int ranks, Schedule schedule) {
    this(ranks, schedule, "world");
  }

  private LocalWorld(int ranks, Schedule schedule, String name) {
    if (ranks < 1) {
      throw new IllegalArgumentException("a world needs a rank: ranks=" + ranks);
    }
    this.turnstile = new RankScheduler(ranks, new SeededChoices(schedule));
    this.group = new LocalGroup(turnstile, name, IntStream.range(0, ranks).toArray());
  }

  /** A world of one rank. */
  public static Communicator self() {
    return new LocalWorld(1, Schedule.free(), "self").enter(0);
  }

  /** A communicator of one rank that can be closed. */
  public static CheckedCommunicator alone(String name) {
    var world = new LocalWorld(1, Schedule.free(), name);
    world.turnstile.start(0);
    return new LocalCommunicator(world.group, 0, false);
  }

  /** Lets the ranks begin. */
  public void begin() {
    turnstile.begin();
  }

  /** The calling thread becomes a rank. */
  public Communicator enter(int rank) {
    turnstile.start(rank);
    return new LocalCommunicator(group, rank, true);
  }

  /** A rank is through. */
  public void leave(int rank) {
    turnstile.finish(rank);
  }

  /** A rank is through with a failure, which ends the others' waiting. */
  public void leave(int rank, Throwable failure) {
    turnstile.poison(
        MpiErrorClass.PEER_FAILED,
        "rank %d failed with %s".formatted(rank, failure),
        !(failure instanceof AgreedFailure));
    turnstile.finish(rank);
  }

  /** Ends everybody's waiting, because the threads' owner gives up. */
  public void interrupt() {
    turnstile.poison(MpiErrorClass.OTHER, "the ranks' owner was interrupted", true);
  }
}
