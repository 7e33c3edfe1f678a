package io.skerry.format.index.api;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Shape;

/**
 * Numbers the chunks of a dataset as HDF5 does: row-major in the chunk grid of the <em>maximum</em>
 * extent, with an unlimited dimension moved to the front, so that the numbers never change when the
 * dataset grows.
 */
public final class ChunkLinearizer {
  private final long[] chunks;
  private final long[] strides;
  private final int unlimited;

  private ChunkLinearizer(long[] chunks, long[] strides, int unlimited) {
    this.chunks = chunks;
    this.strides = strides;
    this.unlimited = unlimited;
  }

  /**
   * Creates the numbering of the chunks of a dataset.
   *
   * @param shape the current and maximum extent of the dataset, with at most one unlimited
   *     dimension
   * @param chunk the shape of a chunk
   * @throws FormatException if the ranks of the dataset and of a chunk differ, or if the chunk grid
   *     of the limited dimensions has 2^63 chunks or more, counting an empty dimension as one chunk
   */
  public static ChunkLinearizer of(Shape shape, Shape chunk) {
    if (shape.rank() != chunk.rank()) {
      throw new FormatException("rank of the chunks", shape.rank(), chunk.rank());
    }
    int rank = shape.rank();
    int unlimited = -1;
    long[] chunks = new long[rank];
    for (int i = 0; i < rank; i++) {
      if (shape.maximum(i) == Shape.UNLIMITED) {
        unlimited = i;
        chunks[i] = Long.MAX_VALUE;
      } else {
        long size = shape.maximum(i);
        chunks[i] = size / chunk.extent(i) + (size % chunk.extent(i) == 0 ? 0 : 1);
      }
    }
    return new ChunkLinearizer(chunks, strides(chunks, unlimited, shape), unlimited);
  }

  private static long[] strides(long[] chunks, int unlimited, Shape shape) {
    long[] strides = new long[chunks.length];
    long stride = 1;
    try {
      for (int i = chunks.length - 1; i >= 0; i--) {
        if (i != unlimited) {
          strides[i] = stride;
          stride = Math.multiplyExact(stride, Math.max(1, chunks[i]));
        }
      }
    } catch (ArithmeticException e) {
      throw new FormatException("number of chunks", "below 2^63", "those of " + shape);
    }
    if (unlimited >= 0) {
      strides[unlimited] = stride;
    }
    return strides;
  }

  /** Returns the number of chunks in the maximum extent. No dimension may be unlimited. */
  public long count() {
    long count = 1;
    for (long size : chunks) {
      count = Math.multiplyExact(count, size);
    }
    return count;
  }

  /**
   * Returns the number of a chunk.
   *
   * @param scaled the coordinates of the chunk in the chunk grid
   * @throws IllegalArgumentException if the chunk is outside the maximum extent
   * @throws UnsupportedFeatureException if the number exceeds 2^63-1, which is possible if a
   *     dimension is unlimited
   */
  public long position(long[] scaled) {
    if (scaled.length != chunks.length) {
      throw new IllegalArgumentException(
          "chunk coordinates: rank=" + chunks.length + " actual=" + scaled.length);
    }
    long position = 0;
    for (int i = 0; i < chunks.length; i++) {
      if (scaled[i] < 0 || scaled[i] >= chunks[i]) {
        throw new IllegalArgumentException(
            "chunk outside the maximum extent: dimension="
                + i
                + " chunks="
                + chunks[i]
                + " actual="
                + scaled[i]);
      }
      position = sum(position, strides[i], scaled[i]);
    }
    return position;
  }

  private static long sum(long position, long stride, long scaled) {
    try {
      return Math.addExact(position, Math.multiplyExact(stride, scaled));
    } catch (ArithmeticException e) {
      throw new UnsupportedFeatureException(
          "a chunk with a number above 2^63-1: coordinate=" + scaled + " stride=" + stride,
          "a chunk index");
    }
  }

  public long[] scaled(long position) {
    long[] scaled = new long[chunks.length];
    long rest = position;
    if (unlimited >= 0) {
      scaled[unlimited] = rest / strides[unlimited];
      rest %= strides[unlimited];
    }
    for (int i = 0; i < chunks.length; i++) {
      if (i != unlimited) {
        scaled[i] = rest / strides[i];
        rest %= strides[i];
      }
    }
    return scaled;
  }
}
