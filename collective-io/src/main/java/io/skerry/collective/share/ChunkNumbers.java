package io.skerry.collective.share;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Converts between chunk coordinates and the row-major numbers of chunks in a grid.
 *
 * @param scaledExtent the number of chunks in each dimension
 */
record ChunkNumbers(long[] scaledExtent) {
  static ChunkNumbers of(SharedSource source) {
    return new ChunkNumbers(source.grid().scaledExtent(source.extent()));
  }

  long number(long[] scaled) {
    long number = 0;
    for (int d = 0; d < scaled.length; d++) {
      number = number * scaledExtent[d] + scaled[d];
    }
    return number;
  }

  long[] scaled(long number) {
    long[] scaled = new long[scaledExtent.length];
    long left = number;
    for (int d = scaled.length - 1; d > 0; d--) {
      scaled[d] = left % scaledExtent[d];
      left /= scaledExtent[d];
    }
    scaled[0] = left;
    return scaled;
  }

  /**
   * Returns a string that is equal for grids that assign the same numbers to the same coordinates.
   */
  String form() {
    return Arrays.stream(scaledExtent)
        .skip(1)
        .mapToObj(Long::toString)
        .collect(Collectors.joining("x", scaledExtent.length + " ", ""));
  }
}
