package io.skerry.mpi.internal.base;

import io.skerry.mpi.MpiException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends this process, and by that the job, if the other ranks do not come to a call where all meet.
 * One per job and rank, for all its communicators: ranks may fail in one and agree in another.
 *
 * <p>A rank that could not do its part of a collective transfer has left it; some MPI libraries let
 * the others wait in it for ever. Nobody could tell the failure then, and the job would take its
 * whole time for nothing.
 */
final class PeerTimeout {
  /** Long enough for the others to write what they have to a slow disk. */
  private final WaitLimit patience = WaitLimit.ofProperty();

  private record Expected(int ranks, CountDownLatch met) {}

  private Optional<Expected> expected = Optional.empty();

  /**
   * The others have to come. Local, by the thread that communicates.
   *
   * @param failure of this rank, to be told if nobody comes
   * @param ranks how many have to meet
   */
  void expect(MpiException failure, int ranks) {
    if (expected.isPresent()) {
      return;
    }
    var met = new CountDownLatch(1);
    expected = Optional.of(new Expected(ranks, met));
    Thread.ofPlatform()
        .daemon()
        .name("skerry-missing-ranks-" + failure.rank())
        .start(() -> await(met, failure));
  }

  /** So many have met, in whatever communicator. Local, by the thread that communicates. */
  void met(int ranks) {
    if (expected.isPresent() && ranks >= expected.get().ranks()) {
      expected.get().met().countDown();
      expected = Optional.empty();
    }
  }

  private void await(CountDownLatch met, MpiException failure) {
    try {
      if (met.await(patience.nanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      return;
    }
    PrintedLine.print(
        "skerry: the job is ended: after a failure, other ranks did not come back from the call of"
            + " the MPI library: seconds="
            + patience.seconds()
            + " failure="
            + failure.getMessage());
    // No MPI call may come from this thread, and no shutdown hook may wait for the rank's.
    Runtime.getRuntime().halt(1);
  }
}
