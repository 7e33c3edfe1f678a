package io.skerry.integration.misuse;

import io.skerry.mpi.CallMismatchException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes mismatched calls on the ranks, and checks their outcome.
 *
 * @param ranks the ranks that take part
 * @param label a description of the calls, for messages
 */
record MismatchedCalls(Communicator ranks, String label) {
  private static final int MOST_MEETINGS = 4;
  private static final Duration LATE = Duration.ofMillis(10);

  /** The expected outcome of the calls. */
  enum Expected {
    /** All calls succeed, or all fail. */
    SAME_OUTCOME,
    /** Every rank gets an exception from its call or from the barrier after it. */
    REFUSED_ON_ALL
  }

  /** Waits for 10 milliseconds, usually long enough for the other ranks to enter their calls. */
  static void beLate() {
    LockSupport.parkNanos(LATE.toNanos());
  }

  /**
   * Makes the call of this rank, then waits for the other ranks and compares the outcomes.
   *
   * @throws IllegalStateException if the outcome is not the expected one, if the type of an
   *     exception is not documented, or if the ranks do not meet in a barrier afterwards
   */
  void run(Expected expected, Runnable call) {
    Optional<RuntimeException> failure = failureOf(call);
    failure.ifPresent(this::requireDocumented);
    // Every rank enters the barrier, whether or not its call has failed.
    boolean met = meet();
    boolean noticed = failure.isPresent() || met;
    long[] noticedBy = ranks.allGather(noticed ? 1 : 0);
    long refused = Arrays.stream(noticedBy).sum();
    boolean fine =
        expected == Expected.REFUSED_ON_ALL
            ? refused == ranks.size()
            : refused == 0 || refused == ranks.size();
    if (!fine) {
      throw new IllegalStateException(
          "%s: expected=%s refused by rank=%s failure=%s"
              .formatted(label, expected, Arrays.toString(noticedBy), failure));
    }
  }

  private static Optional<RuntimeException> failureOf(Runnable call) {
    try {
      call.run();
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  private void requireDocumented(RuntimeException e) {
    String type = e.getClass().getName();
    boolean raw = type.startsWith("java.") && !(e instanceof IllegalArgumentException);
    if (raw && !(e instanceof IllegalStateException)) {
      throw new IllegalStateException(label + ": an undocumented exception", e);
    }
  }

  /** Waits for the other ranks, and returns whether a rank was still in another call. */
  private boolean meet() {
    boolean noticed = false;
    for (int i = 0; i < MOST_MEETINGS; i++) {
      try {
        ranks.barrier();
        return noticed;
      } catch (MpiException e) {
        if (e.errorClass() != MpiErrorClass.MISMATCH
            || !(e.getCause() instanceof CallMismatchException)) {
          throw e;
        }
        noticed = true;
      }
    }
    throw new IllegalStateException(label + ": the ranks do not come together");
  }
}
