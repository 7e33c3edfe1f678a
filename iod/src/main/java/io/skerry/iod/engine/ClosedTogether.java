package io.skerry.iod.engine;

import java.util.Optional;

/**
 * Steps at the end of a use, of which each is executed even if others fail. Not thread-safe.
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

  /** Creates an object without failures. */
  public ClosedTogether() {}

  /** Runs a step. Its exception is recorded, an {@link Error} is thrown. */
  public void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      // The other steps must follow after any failure.
      failure.ifPresentOrElse(first -> first.addSuppressed(e), () -> failure = Optional.of(e));
    }
  }

  /**
   * Throws the first exception of a step, with the others suppressed; no effect if there is none.
   */
  public void throwFailure() {
    failure.ifPresent(first -> {
      throw first;
    });
  }
}
