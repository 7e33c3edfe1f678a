package io.skerry.iod.engine;

import java.util.Optional;

/**
 * Runs several cleanup steps, each of them even if others fail. Not thread-safe.
 *
 * <pre>
 * ClosedTogether parts = new ClosedTogether();
 * parts.run(first::close);
 * parts.run(second::close);
 * parts.throwFailure();
 * </pre>
 */
public final class ClosedTogether {
  private Optional<RuntimeException> failure = Optional.empty();

  /** Creates an instance without failures. */
  public ClosedTogether() {}

  /** Runs a step. Records its exception, but lets an {@link Error} propagate. */
  public void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      // The remaining steps must run after any failure.
      failure.ifPresentOrElse(first -> first.addSuppressed(e), () -> failure = Optional.of(e));
    }
  }

  /**
   * Throws the first exception of a step, with the others suppressed. Has no effect if there is
   * none.
   */
  public void throwFailure() {
    failure.ifPresent(first -> {
      throw first;
    });
  }
}
