package io.skerry.format.vds;

import io.skerry.chunk.dataspace.encoding.SelectionBounds;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** The ranks of virtual selections, and the mappings with an unlimited virtual selection. */
final class MappingSummary {
  private final int[] firstOfRank = new int[Shape.MAX_RANK + 1];
  private int[] unlimited = new int[4];
  private int unlimitedCount;

  MappingSummary() {
    Arrays.fill(firstOfRank, -1);
  }

  /** Adds the next mapping. */
  void add(int mapping, SelectionBounds virtual) {
    if (firstOfRank[virtual.rank()] < 0) {
      firstOfRank[virtual.rank()] = mapping;
    }
    if (virtual.kind() == SelectionBounds.Kind.UNLIMITED) {
      if (unlimitedCount == unlimited.length) {
        unlimited = Arrays.copyOf(unlimited, unlimitedCount * 2);
      }
      unlimited[unlimitedCount] = mapping;
      unlimitedCount++;
    }
  }

  /**
   * Returns the index of the first mapping whose virtual selection does not have the given rank;
   * empty if there is none.
   */
  OptionalInt ofOtherRank(int rank) {
    return IntStream.rangeClosed(1, Shape.MAX_RANK)
        .filter(other -> other != rank && firstOfRank[other] >= 0)
        .map(other -> firstOfRank[other])
        .min();
  }

  /** Returns the indices of the unlimited mappings, in ascending order. */
  int[] unlimited() {
    return Arrays.copyOf(unlimited, unlimitedCount);
  }
}
