package io.skerry.internal.copy.header;

import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.List;

/** Determines the chunk shape that a storage change requests. */
public final class AskedChunk {
  private AskedChunk() {}

  /**
   * Returns the chunk shape of a copy: the requested shape, but no larger than the maximum extent.
   *
   * @param asked the requested size of a chunk along each dimension, in elements
   * @param shape the extent of the dataset
   * @throws IllegalArgumentException if there is not one size for each dimension
   */
  public static long[] of(List<Long> asked, Shape shape) {
    long[] chunk = asked.stream().mapToLong(Long::longValue).toArray();
    if (chunk.length != shape.rank()) {
      throw new IllegalArgumentException(
          "a chunk needs one size per dimension: chunk="
              + Arrays.toString(chunk)
              + " shape="
              + shape);
    }
    for (int d = 0; d < chunk.length; d++) {
      if (shape.maximum(d) != Shape.UNLIMITED) {
        chunk[d] = Math.min(chunk[d], Math.max(1, shape.maximum(d)));
      }
    }
    return chunk;
  }
}
