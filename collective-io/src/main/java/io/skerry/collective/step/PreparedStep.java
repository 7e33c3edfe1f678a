package io.skerry.collective.step;

/**
 * A step that all ranks take in the same way, after each has prepared it for itself.
 *
 * @param <A> what was prepared
 * @param <T> the result, the same on all ranks
 */
@FunctionalInterface
public interface PreparedStep<A, T> {
  /** Takes the step. */
  T take(A prepared) throws Exception;
}
