package io.skerry.iod.engine;

import java.util.Optional;

/**
 * The places of one part of an object: all of them, or only those after a given place.
 *
 * @param object the identifier of the object
 * @param part the part of the object
 * @param after the place after which the range begins; empty if it begins at the first place
 */
public record Range(long object, Part part, Optional<Place> after) {
  /**
   * Checks that the place belongs to the part of the object.
   *
   * @throws IllegalArgumentException if it belongs to another part or object
   */
  public Range {
    if (after.isPresent() && (after.get().object() != object || after.get().part() != part)) {
      throw new IllegalArgumentException(
          "a range begins in another part or object: expected="
              + Long.toHexString(object)
              + " "
              + part
              + " actual="
              + Long.toHexString(after.get().object())
              + " "
              + after.get().part());
    }
  }

  /** Returns all places of a part of an object. */
  public static Range all(long object, Part part) {
    return new Range(object, part, Optional.empty());
  }

  /** Returns the places that follow a place in its part of its object. */
  public static Range after(Place place) {
    return new Range(place.object(), place.part(), Optional.of(place));
  }
}
