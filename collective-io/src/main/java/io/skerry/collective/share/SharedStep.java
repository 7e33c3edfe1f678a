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
   * Takes the step. Collective; work that may fail on one rank runs in {@link SharedRead#attempt}.
   *
   * @return the result; empty if this rank has failed
   */
  Optional<T> take(A prepared, SharedRead read);
}
