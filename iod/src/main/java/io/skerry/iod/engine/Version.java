package io.skerry.iod.engine;

import java.util.Comparator;
import java.util.OptionalLong;

/**
 * A version of a place: the value that one transaction stored there, or its removal.
 *
 * @param place the place
 * @param transaction the number of the transaction, 1 to 2^63-1
 * @param size the size of the value in bytes; empty if the transaction removed the value
 */
public record Version(Place place, long transaction, OptionalLong size)
    implements Comparable<Version> {
  private static final Comparator<Version> ORDER =
      Comparator.comparing(Version::place)
          .thenComparing(Comparator.comparingLong(Version::transaction).reversed());

  /** Returns whether the transaction removed the value. */
  public boolean isRemoved() {
    return size.isEmpty();
  }

  /** Compares by place, and then by transaction, the newest version first. */
  @Override
  public int compareTo(Version other) {
    return ORDER.compare(this, other);
  }
}
