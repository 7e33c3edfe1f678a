package io.skerry.collective.step;

import java.util.Optional;

/**
 * Carries an {@link Error} of this rank to the next agreement. The other ranks then throw an
 * exception, and this rank throws the error when the operation has ended.
 */
final class CarriedError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The maximum number of causes that are searched, since causes may be cyclic. */
  private static final int CAUSES = 32;

  private final Error error;

  CarriedError(Error error) {
    super(error.toString(), error);
    this.error = error;
  }

  /**
   * Returns the given failure unless it was caused by an error of this rank.
   *
   * @throws Error the error of this rank, if the failure was caused by one; the failure is then
   *     added to the error as a suppressed exception
   */
  static RuntimeException rethrown(RuntimeException failure) {
    Optional<Throwable> cause = Optional.of(failure);
    for (int i = 0; i < CAUSES && cause.isPresent(); i++) {
      if (cause.get() instanceof CarriedError carried) {
        carried.error.addSuppressed(failure);
        throw carried.error;
      }
      cause = Optional.ofNullable(cause.get().getCause());
    }
    return failure;
  }
}
