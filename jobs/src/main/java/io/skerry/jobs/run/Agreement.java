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
 * What ranks do each on its own, and all have to know the outcome of before they go on. One object
 * per rank; its methods are collective.
 */
public final class Agreement {
  private final Communicator ranks;
  private final CollectiveOutcome outcome;

  /**
   * @param ranks a communicator that nothing else uses
   * @param subject what the job is about, for messages
   */
  public Agreement(Communicator ranks, Watchdog watchdog, Path subject) {
    this.ranks = ranks;
    this.outcome = new CollectiveOutcome(ranks, watchdog, subject.toString());
  }

  /**
   * Does a step on every rank. It must not be collective itself.
   *
   * @param what the step, for messages
   * @throws JobException on all ranks if it failed on one
   */
  public <T> T each(String what, Callable<T> step) {
    LocalStatus status = new LocalStatus();
    Optional<T> result = status.attempt(() -> Optional.of(step.call()), Optional.empty());
    agree(what, status);
    return result.orElseThrow();
  }

  /**
   * Does a step on the first rank only.
   *
   * @throws JobException on all ranks if it failed
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
      if (outcome.isAbandoned()) {
        throw e;
      }
      throw new JobException(message(what, e), e);
    }
    outcome.leave();
  }

  /** What all ranks or the first one found is about the job; anything else about a rank. */
  private String message(String what, CollectiveException failure) {
    boolean ofTheJob =
        failure.failingRanks().size() == ranks.size() || failure.failingRanks().getFirst() == 0;
    return ofTheJob
        ? failure.reason()
        : failure.reason() + ": step=" + what + " ranks=" + failure.failingRanks();
  }

  /**
   * Uses something that all ranks hold and close together. After a failure that one of several
   * ranks alone knows of it stays open: closing would wait for ranks that do not come, and the
   * failure would never be heard of.
   */
  public static <R, T> T using(
      Communicator ranks, R resource, Consumer<R> close, Function<R, T> body) {
    T result;
    try {
      result = body.apply(resource);
    } catch (RuntimeException e) {
      if (e instanceof AgreedFailure || ranks.size() == 1) {
        new LocalStatus().attempt(() -> close.accept(resource));
      }
      throw e;
    }
    close.accept(resource);
    return result;
  }
}
