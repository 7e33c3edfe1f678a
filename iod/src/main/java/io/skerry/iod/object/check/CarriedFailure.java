package io.skerry.iod.object.check;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Carries an exception of a callback through code that takes exceptions of the same type for
 * damage, or for a failure of the storage. The exception reaches the caller unchanged.
 */
public final class CarriedFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RuntimeException thrown;

  private CarriedFailure(RuntimeException thrown) {
    super(thrown);
    this.thrown = thrown;
  }

  /**
   * Returns a callback whose exceptions are carried.
   *
   * @param callback the callback of the caller
   */
  public static <T> Consumer<T> carrying(Consumer<T> callback) {
    return value -> {
      try {
        callback.accept(value);
      } catch (RuntimeException e) {
        throw new CarriedFailure(e);
      }
    };
  }

  /**
   * Runs a step that uses such a callback.
   *
   * @throws RuntimeException the exception of the callback, or another one of the step
   */
  public static <T> T unwrapped(Supplier<T> step) {
    try {
      return step.get();
    } catch (CarriedFailure e) {
      throw e.thrown;
    }
  }
}
