package io.skerry.internal.copy.header;

import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.List;

/** The chunk shape that a change of storage asks for. */
public final class AskedChunk {
  private AskedChunk() {}

  /**
   * Returns the shape of the chunks of a copy: as asked, but no larger than the maximum extent.
   *
   * @param asked the sizes
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
