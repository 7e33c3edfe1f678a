package io.skerry.collective.step;

import java.util.Optional;

/**
 * The step that this rank is running. Before a collective call within a step, such as opening
 * another file, all ranks agree that they have reached that call. A rank that failed earlier in the
 * step takes part in the same agreement when its step ends.
 */
final class RunningStep {
  private final CollectiveOutcome outcome;
  private Optional<RuntimeException> failure = Optional.empty();

  RunningStep(CollectiveOutcome outcome) {
    this.outcome = outcome;
  }

  /**
   * Checks that all ranks have reached the same point of the step. Collective.
   *
   * @param point the name of the point
   * @throws io.skerry.parallel.CollectiveException on all ranks if at least one of them failed
   *     earlier in the step or has reached another point
   */
  void agree(String point) {
    try {
      outcome.agreeOnPoint(point);
    } catch (RuntimeException e) {
      failure = Optional.of(e);
      throw e;
    }
  }

  /**
   * Throws the exception of a failed agreement within the step, if any. All ranks throw such an
   * exception, so they do not agree again.
   */
  void requireAgreed() {
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
