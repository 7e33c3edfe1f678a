package io.skerry.selection;

import io.skerry.chunk.dataspace.HyperslabDimension;
import java.util.Arrays;

/**
 * The extent of a simple dataspace: the current and the maximum size of each dimension, in
 * elements. A shape of rank 0 is a scalar. Immutable.
 */
public final class Shape {
  /** The constant that represents an unlimited maximum size. */
  public static final long UNLIMITED = HyperslabDimension.UNLIMITED;

  /** The maximum rank in the file format. */
  public static final int MAX_RANK = 32;

  private final long[] extent;
  private final long[] maximum;

  private Shape(long[] extent, long[] maximum) {
    this.extent = extent;
    this.maximum = maximum;
  }

  /**
   * Returns a shape of fixed extent. Local, thread-safe.
   *
   * @throws IllegalArgumentException if a size is negative, or the rank exceeds 32
   */
  public static Shape of(long... extent) {
    return of(extent, extent);
  }

  /**
   * Returns the shape of a scalar: one element, no dimensions. Local, thread-safe; does not fail.
   */
  public static Shape scalar() {
    return of(new long[0]);
  }

  /**
   * Returns a shape with maximum sizes. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the arrays differ in length, a size is negative or exceeds
   *     its maximum, or the rank exceeds 32
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

  /**
   * Returns this shape without a limit in one dimension. Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such dimension
   */
  public Shape unlimited(int dimension) {
    long[] max = maximum.clone();
    max[dimension] = UNLIMITED;
    return new Shape(extent, max);
  }

  /**
   * Returns this shape with a different extent and the same maximum sizes. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the new extent has a different rank or more than 2^63 - 1
   *     elements, or a size is negative or exceeds its maximum
   */
  public Shape withExtent(long... newExtent) {
    Shape changed = of(newExtent, maximum);
    changed.requireCountable();
    return changed;
  }

  /**
   * Rejects an extent with more elements than a {@code long} can count. Local, thread-safe.
   *
   * @throws IllegalArgumentException if there are more than 2^63 - 1 elements
   */
  public void requireCountable() {
    try {
      long unused = elements();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "too many elements: expected=at most 2^63 - 1 actualExtent=" + Arrays.toString(extent),
          e);
    }
  }

  /** Returns the number of dimensions. Local, thread-safe; does not fail. */
  public int rank() {
    return extent.length;
  }

  /**
   * Returns the current size of a dimension, in elements. Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such dimension
   */
  public long extent(int dimension) {
    return extent[dimension];
  }

  /** Returns a copy of the current sizes. Local, thread-safe; does not fail. */
  public long[] extent() {
    return extent.clone();
  }

  /**
   * Returns the maximum size of a dimension, in elements; {@link #UNLIMITED} if there is no limit.
   * Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such dimension
   */
  public long maximum(int dimension) {
    return maximum[dimension];
  }

  /** Returns a copy of the maximum sizes. Local, thread-safe; does not fail. */
  public long[] maximum() {
    return maximum.clone();
  }

  /** Returns whether any dimension can grow. Local, thread-safe; does not fail. */
  public boolean isExtendible() {
    return !Arrays.equals(extent, maximum);
  }

  /**
   * Returns the number of elements; 1 for a scalar. Local, thread-safe.
   *
   * @throws ArithmeticException if the number exceeds 2^63 - 1
   */
  public long elements() {
    for (long size : extent) {
      if (size == 0) {
        return 0;
      }
    }
    long product = 1;
    for (long size : extent) {
      product = Math.multiplyExact(product, size);
    }
    return product;
  }

  /**
   * Returns the row-major steps: for each dimension, the distance between elements with adjacent
   * coordinates.
   *
   * @throws ArithmeticException if there are more than 2^63-1 elements
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

  /**
   * Returns the sizes as text, for example {@code 64x1024x1024}. A maximum size that differs from
   * the current size follows it in brackets.
   */
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
