package io.skerry.jobs.run;

import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.LocalStatus;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs local steps on the ranks. If a step fails on one rank, the failure is reported on all ranks,
 * so that either all ranks continue or none does. On a rank whose step threw an {@link Error} other
 * than {@link OutOfMemoryError}, that error is thrown. One object per rank; all methods are
 * collective.
 */
public final class Agreement {
  private final Communicator ranks;
  private final CollectiveOutcome outcome;

  /**
   * Creates an agreement for the steps of one job.
   *
   * @param ranks the communicator of the ranks that run the steps
   * @param watchdog the watchdog that reports ranks waiting for others
   * @param subject the file on which the job works, for messages
   */
  public Agreement(Communicator ranks, Watchdog watchdog, Path subject) {
    this.ranks = ranks;
    this.outcome = new CollectiveOutcome(ranks, watchdog, subject.toString());
  }

  /**
   * Runs a step on every rank. The step itself must not be collective.
   *
   * @param what the description of the step, for messages
   * @return the result of the step on this rank
   * @throws JobException on all ranks if the step failed on any rank, or if the ranks began
   *     different operations and can continue
   * @throws CollectiveException if the ranks are in different operations and cannot continue
   */
  public <T> T each(String what, Callable<T> step) {
    LocalStatus status = new LocalStatus();
    Optional<T> result = status.attempt(() -> Optional.of(step.call()), Optional.empty());
    agree(what, status);
    return result.orElseThrow();
  }

  /**
   * Runs a long step on every rank, during which the ranks do not communicate. A rank that has
   * finished the step waits for the others without a time limit.
   *
   * @param what the description of the step, for messages
   * @return the result of the step on this rank
   * @throws JobException on all ranks if the step failed on any rank, or if the ranks began
   *     different operations and can continue
   * @throws CollectiveException if the ranks are in different operations and cannot continue
   */
  public <T> T eachAlone(String what, Callable<T> step) {
    // This agreement precedes the step: the wait for all ranks to begin a call has a time limit,
    // but the wait in a later agreement has none.
    agree(what, new LocalStatus());
    LocalStatus status = new LocalStatus();
    Optional<T> result = status.attempt(() -> Optional.of(step.call()), Optional.empty());
    try {
      outcome.agree(status);
    } catch (CollectiveException e) {
      throw failure(what, e);
    }
    return result.orElseThrow();
  }

  /**
   * Runs a step on rank 0 only; the other ranks wait for its outcome.
   *
   * @param what the description of the step, for messages
   * @throws JobException on all ranks if the step failed, or if the ranks began different
   *     operations and can continue
   * @throws CollectiveException if the ranks are in different operations and cannot continue
   */
  public void first(String what, LocalStatus.Step step) {
    LocalStatus status = new LocalStatus();
    if (ranks.rank() == 0) {
      status.attempt(step);
    }
    agree(what, status);
  }

  private void agree(String what, LocalStatus status) {
    try {
      outcome.enter(Operation.USER, what, status);
    } catch (CollectiveException e) {
      throw failure(what, e);
    }
    outcome.leave();
  }

  private RuntimeException failure(String what, CollectiveException e) {
    return LocalStatus.thrown(outcome.isAbandoned() ? e : new JobException(message(what, e), e));
  }

  /**
   * Returns the message of a failure. A failure on rank 0 or on all ranks concerns the job as a
   * whole; for any other failure, the message names the step and the ranks.
   */
  private String message(String what, CollectiveException failure) {
    boolean ofTheJob =
        failure.failingRanks().size() == ranks.size() || failure.failingRanks().getFirst() == 0;
    return ofTheJob
        ? failure.reason()
        : failure.reason() + ": step=" + what + " ranks=" + failure.failingRanks();
  }

  /**
   * Runs a body on a resource and then closes the resource, which is a collective operation. After
   * a failure that is not known to all ranks, the resource stays open: closing it would wait for
   * the other ranks, and the failure would never be reported.
   *
   * @return the result of the body
   */
  public static <R, T> T using(
      Communicator ranks, R resource, Consumer<R> close, Function<R, T> body) {
    T result;
    try {
      result = body.apply(resource);
    } catch (RuntimeException e) {
      if (ranks.size() == 1 || AgreedFailure.isAgreed(e, ranks.rankSet())) {
        new LocalStatus().attempt(() -> close.accept(resource));
      }
      throw e;
    }
    close.accept(resource);
    return result;
  }
}
