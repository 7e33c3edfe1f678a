package io.skerry.collective.step;

import io.skerry.chunk.bytes.MemoryLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Records the first failure of this rank in a collective operation. A rank that has failed
 * continues to take part, without data, until the next agreement: if it left earlier, the other
 * ranks would wait for it forever. An {@link Error} is recorded too, and the rank throws it after
 * the operation, except that a lack of memory becomes a {@link
 * io.skerry.exception.MemoryLimitException}.
 */
public final class LocalStatus {
  private Optional<RuntimeException> failure = Optional.empty();

  /** A step without a result. */
  @FunctionalInterface
  public interface Step {
    /** Runs the step. */
    void run() throws IOException;
  }

  /** Runs a step unless an earlier one failed. Records the failure of the step. */
  public void attempt(Step step) {
    attempt(
        () -> {
          step.run();
          return true;
        },
        false);
  }

  /**
   * Runs a step unless an earlier one failed. Records the failure of the step.
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
      // A request that exceeds the memory of this rank must not end the whole job.
      failure = Optional.of(MemoryLimit.exhausted(e));
    } catch (Error e) {
      failure = Optional.of(new CarriedError(e));
    } catch (Exception e) {
      failure = Optional.of(new IllegalStateException(e));
    }
    return otherwise;
  }

  /**
   * Runs all steps, even if one of them or an earlier step fails. Records the first failure.
   *
   * @param steps the steps
   */
  public void attemptAll(Step... steps) {
    for (Step step : steps) {
      LocalStatus own = new LocalStatus();
      own.attempt(step);
      if (failure.isEmpty()) {
        failure = own.failure;
      }
    }
  }

  /**
   * Returns the given failure of an operation, after the ranks have agreed on it.
   *
   * @throws Error if the failure was caused by an error of this rank
   */
  public static RuntimeException thrown(RuntimeException failure) {
    return CarriedError.rethrown(failure);
  }

  /** Returns the first failure; empty if no step has failed. */
  public Optional<RuntimeException> failure() {
    return failure;
  }

  /**
   * Throws the first failure; no effect if no step has failed.
   *
   * @throws RuntimeException the first failure
   */
  public void throwFailure() {
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /** Returns whether no step has failed. */
  public boolean isGood() {
    return failure.isEmpty();
  }
}
