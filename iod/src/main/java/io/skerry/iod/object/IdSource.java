package io.skerry.iod.object;

/** Assigns numbers to new objects. */
@FunctionalInterface
public interface IdSource {
  /**
   * Returns a number that no object of the type has had in this container, and that will not be
   * returned again.
   *
   * @throws IllegalStateException if no number is available
   */
  long next(ObjectType type);
}
