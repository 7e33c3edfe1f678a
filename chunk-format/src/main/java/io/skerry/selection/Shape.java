package io.skerry.selection;

import io.skerry.chunk.dataspace.HyperslabDimension;
import java.util.Arrays;

/**
 * The extent of a simple dataspace: current and maximum size per dimension, in elements. Rank 0 is
 * a scalar. Immutable.
 */
public final class Shape {
  /** As a maximum: the dimension may grow without bound. */
  public static final long UNLIMITED = HyperslabDimension.UNLIMITED;

  /** The greatest rank the format allows. */
  public static final int MAX_RANK = 32;

  private final long[] extent;
  private final long[] maximum;

  private Shape(long[] extent, long[] maximum) {
    this.extent = extent;
    this.maximum = maximum;
  }

  /** A shape of fixed extent. */
  public static Shape of(long... extent) {
    return of(extent, extent);
  }

  /** One element, no dimension. */
  public static Shape scalar() {
    return of(new long[0]);
  }

  /**
   * A shape with maximums.
   *
   * @throws IllegalArgumentException if an extent is negative or above its maximum, or the rank too
   *     great
   */
  public static Shape of(long[] extent, long[] maximum) {
    if (extent.length > MAX_RANK || extent.length != maximum.length) {
      throw new IllegalArgumentException(
          "rank: extent=" + extent.length + " maximum=" + maximum.length + " limit=" + MAX_RANK);
    }
    for (int i = 0; i < extent.length; i++) {
      if (extent[i] < 0 || (maximum[i] != UNLIMITED && maximum[i] < extent[i])) {
        throw new IllegalArgumentException(
            "dimension " + i + ": extent=" + extent[i] + " maximum=" + maximum[i]);
      }
    }
    return new Shape(extent.clone(), maximum.clone());
  }

  /** This shape, with a dimension that may grow without bound. */
  public Shape unlimited(int dimension) {
    long[] max = maximum.clone();
    max[dimension] = UNLIMITED;
    return new Shape(extent, max);
  }

  /**
   * This shape at another extent, maximums unchanged.
   *
   * @throws IllegalArgumentException if an extent exceeds its maximum
   */
  public Shape withExtent(long... newExtent) {
    return of(newExtent, maximum);
  }

  /** Number of dimensions. */
  public int rank() {
    return extent.length;
  }

  /** Current size of a dimension. */
  public long extent(int dimension) {
    return extent[dimension];
  }

  /** Current sizes; a copy. */
  public long[] extent() {
    return extent.clone();
  }

  /** Maximum size of a dimension, {@link #UNLIMITED} if none. */
  public long maximum(int dimension) {
    return maximum[dimension];
  }

  /** Maximum sizes; a copy. */
  public long[] maximum() {
    return maximum.clone();
  }

  /** Whether any dimension may grow. */
  public boolean isExtendible() {
    return !Arrays.equals(extent, maximum);
  }

  /**
   * Number of elements; 1 for a scalar.
   *
   * @throws ArithmeticException if it exceeds 2^63 - 1
   */
  public long elements() {
    long product = 1;
    for (long size : extent) {
      if (size == 0) {
        return 0;
      }
      product = Math.multiplyExact(product, size);
    }
    return product;
  }

  /**
   * Elements under one coordinate of each dimension: what it adds to a row-major index.
   *
   * @throws ArithmeticException if there are more than 2^63 - 1 elements
   */
  long[] steps() {
    elements();
    long[] steps = new long[extent.length];
    long product = 1;
    for (int d = steps.length - 1; d >= 0; d--) {
      steps[d] = product;
      product *= extent[d];
    }
    return steps;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape that
        && Arrays.equals(extent, that.extent)
        && Arrays.equals(maximum, that.maximum);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(extent) * 31 + Arrays.hashCode(maximum);
  }

  /** As {@code 64x1024x1024}; a maximum that differs follows in brackets, {@code inf} if none. */
  @Override
  public String toString() {
    if (extent.length == 0) {
      return "scalar";
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < extent.length; i++) {
      text.append(i == 0 ? "" : "x").append(extent[i]);
      if (maximum[i] != extent[i]) {
        text.append('[').append(maximum[i] == UNLIMITED ? "inf" : maximum[i]).append(']');
      }
    }
    return text.toString();
  }
}
