package io.skerry.collective.step;

/**
 * A step that all ranks perform in the same way, after each rank has prepared it locally.
 *
 * @param <A> the type of the prepared value
 * @param <T> the type of the result, which is equal on all ranks
 */
@FunctionalInterface
public interface PreparedStep<A, T> {
  /** Runs the step. */
  T take(A prepared) throws Exception;
}
