package io.skerry.jobs.detector;

import java.util.Arrays;

/**
 * The pixels kept of one frame.
 *
 * @param count spots they form
 * @param pixels linear indices in the frame, ascending and distinct; owned by the receiver
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
