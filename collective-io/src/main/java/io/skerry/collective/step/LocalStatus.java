package io.skerry.collective.step;

import io.skerry.chunk.bytes.MemoryLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * What has gone wrong on this rank so far in a collective operation. A rank that failed keeps
 * taking part, empty-handed, until the next agreement: leaving earlier would hang the others.
 */
public final class LocalStatus {
  private Optional<RuntimeException> failure = Optional.empty();

  /** A step without result. */
  @FunctionalInterface
  public interface Step {
    /** Does it. */
    void run() throws IOException;
  }

  /** Runs the step unless something failed before; remembers a failure. */
  public void attempt(Step step) {
    attempt(
        () -> {
          step.run();
          return true;
        },
        false);
  }

  /**
   * Runs the step unless something failed before; remembers a failure.
   *
   * @return the result, or {@code otherwise} if this or an earlier step failed
   */
  public <T> T attempt(Callable<T> step, T otherwise) {
    if (failure.isPresent()) {
      return otherwise;
    }
    try {
      return step.call();
    } catch (RuntimeException e) {
      failure = Optional.of(e);
    } catch (IOException e) {
      failure = Optional.of(new UncheckedIOException(e.getMessage(), e));
    } catch (OutOfMemoryError e) {
      // A request that is too large for this rank is no reason to lose the job.
      failure = Optional.of(MemoryLimit.exhausted(e));
    } catch (Exception e) {
      failure = Optional.of(new IllegalStateException(e));
    }
    return otherwise;
  }

  /** The first failure, if any. */
  public Optional<RuntimeException> failure() {
    return failure;
  }

  /** Returns whether nothing has failed. */
  public boolean isGood() {
    return failure.isEmpty();
  }
}
