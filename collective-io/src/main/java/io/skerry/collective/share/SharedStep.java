package io.skerry.collective.share;

import java.util.Optional;

/**
 * A step of a read in which the ranks exchange messages.
 *
 * @param <A> the type of the prepared value
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface SharedStep<A, T> {
  /**
   * Runs the step. Collective; code that may fail on one rank must run in {@link
   * SharedRead#attempt}.
   *
   * @return the result; empty if this rank has failed
   */
  Optional<T> take(A prepared, SharedRead read);
}
