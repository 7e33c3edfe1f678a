package io.skerry.mpi.internal.base;

import io.skerry.mpi.MpiException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends this process, and thereby the job, if the other ranks do not reach a call in which all ranks
 * meet. Each rank has one instance for all communicators of the job, since ranks may fail in one
 * communicator and agree in another.
 *
 * <p>A rank that cannot do its part of a collective transfer leaves the call, and some MPI
 * libraries keep the others waiting in it forever. The failing rank would then have no way to
 * notify them, and the job would run until its time limit.
 */
final class PeerTimeout {
  /**
   * The time limit, by default long enough for the other ranks to write their data to a slow disk.
   */
  private final WaitLimit patience = WaitLimit.ofProperty();

  private record Expected(int ranks, CountDownLatch met) {}

  private Optional<Expected> expected = Optional.empty();

  /**
   * Starts the timeout for the other ranks; does nothing if the timeout is already running. Local,
   * called by the thread that communicates.
   *
   * @param failure the failure of this rank, printed if the time limit expires
   * @param ranks the number of ranks that must meet in a call to stop the timeout
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

  /**
   * Reports that the given number of ranks have met in a call, on any communicator. Local, called
   * by the thread that communicates.
   */
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
        "skerry: the job is ended: after a failure, other ranks did not return from the call of"
            + " the MPI library: seconds="
            + patience.seconds()
            + " failure="
            + failure.getMessage());
    // The process is halted since this thread must not call MPI, and since a shutdown hook could
    // wait for the blocked thread of the rank.
    Runtime.getRuntime().halt(1);
  }
}
