package io.skerry.selection;

import java.util.Arrays;

/**
 * A block of elements that extends, in each dimension, from {@code start} (inclusive) to {@code
 * end} (exclusive). Immutable.
 *
 * @param start the first coordinate in each dimension
 * @param end the coordinate after the last one in each dimension
 */
public record Box(long[] start, long[] end) {
  /**
   * Creates a box. The arrays are copied. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the ranks differ or are not 1 to 32, a start is negative,
   *     or an end is less than its start
   */
  public Box {
    if (start.length != end.length || start.length == 0 || start.length > Shape.MAX_RANK) {
      throw new IllegalArgumentException(
          "rank of a box: start=" + start.length + " end=" + end.length + " allowed=1..32");
    }
    start = start.clone();
    end = end.clone();
    for (int d = 0; d < start.length; d++) {
      if (start[d] < 0 || end[d] < start[d]) {
        throw new IllegalArgumentException(
            "not a box: dimension=" + d + " start=" + start[d] + " end=" + end[d]);
      }
    }
  }

  /**
   * Returns the box that covers an entire extent. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the extent is that of a scalar
   */
  public static Box of(Shape extent) {
    return new Box(new long[extent.rank()], extent.extent());
  }

  /** Returns a copy of the first coordinates. Local, thread-safe; does not fail. */
  @Override
  public long[] start() {
    return start.clone();
  }

  /** Returns a copy of the coordinates after the last ones. Local, thread-safe; does not fail. */
  @Override
  public long[] end() {
    return end.clone();
  }

  /**
   * Returns the first coordinate in a dimension. Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such dimension
   */
  public long start(int dimension) {
    return start[dimension];
  }

  /**
   * Returns the coordinate after the last one in a dimension. Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such dimension
   */
  public long end(int dimension) {
    return end[dimension];
  }

  /** Returns the number of dimensions. Local, thread-safe; does not fail. */
  public int rank() {
    return start.length;
  }

  /**
   * Returns the size in a dimension, in elements. Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such dimension
   */
  public long size(int dimension) {
    return end[dimension] - start[dimension];
  }

  /** Returns the sizes in all dimensions, in elements. Local, thread-safe; does not fail. */
  public long[] size() {
    long[] size = new long[start.length];
    Arrays.setAll(size, this::size);
    return size;
  }

  /** Returns whether the box is empty. Local, thread-safe; does not fail. */
  public boolean isEmpty() {
    for (int d = 0; d < start.length; d++) {
      if (start[d] == end[d]) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the number of elements. Local, thread-safe.
   *
   * @throws ArithmeticException if the number exceeds 2^63 - 1
   */
  public long elements() {
    return isEmpty() ? 0 : Shape.of(size()).elements();
  }

  /** Returns whether the number of elements fits in a {@code long}. */
  boolean isIndexed() {
    try {
      elements();
      return true;
    } catch (ArithmeticException e) {
      return false;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Box that
        && Arrays.equals(start, that.start)
        && Arrays.equals(end, that.end);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(start) * 31 + Arrays.hashCode(end);
  }

  /** Returns the bounds as text, for example {@code [0:4, 10:20]}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int d = 0; d < start.length; d++) {
      text.append(d == 0 ? "" : ", ").append(start[d]).append(':').append(end[d]);
    }
    return text.append(']').toString();
  }
}
