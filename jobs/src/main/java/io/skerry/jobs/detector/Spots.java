package io.skerry.jobs.detector;

import java.util.Arrays;

/**
 * The spots that were found in one frame.
 *
 * @param count the number of spots that the pixels form
 * @param pixels the linear indices of the pixels in the frame, distinct and in ascending order; the
 *     array is not copied
 */
public record Spots(int count, int[] pixels) {
  @Override
  public boolean equals(Object other) {
    return other instanceof Spots spots
        && count == spots.count
        && Arrays.equals(pixels, spots.pixels);
  }

  @Override
  public int hashCode() {
    return 31 * count + Arrays.hashCode(pixels);
  }

  @Override
  public String toString() {
    return "Spots[count=" + count + ", pixels=" + pixels.length + "]";
  }
}
