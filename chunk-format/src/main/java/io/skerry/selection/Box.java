package io.skerry.selection;

import java.util.Arrays;

/**
 * A block of elements: per dimension from {@code start} to just before {@code end}. Immutable.
 *
 * @param start first element per dimension
 * @param end one past the last element per dimension
 */
public record Box(long[] start, long[] end) {
  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException if the ranks differ or are not 1 to 32, a start is negative or
   *     an end lies before its start
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

  /** The whole of an extent. */
  public static Box of(Shape extent) {
    return new Box(new long[extent.rank()], extent.extent());
  }

  @Override
  public long[] start() {
    return start.clone();
  }

  @Override
  public long[] end() {
    return end.clone();
  }

  /** First element in a dimension. */
  public long start(int dimension) {
    return start[dimension];
  }

  /** One past the last element in a dimension. */
  public long end(int dimension) {
    return end[dimension];
  }

  /** Number of dimensions. */
  public int rank() {
    return start.length;
  }

  /** Elements in a dimension. */
  public long size(int dimension) {
    return end[dimension] - start[dimension];
  }

  /** Sizes of all dimensions. */
  public long[] size() {
    long[] size = new long[start.length];
    Arrays.setAll(size, this::size);
    return size;
  }

  /** Whether it holds no element. */
  public boolean isEmpty() {
    for (int d = 0; d < start.length; d++) {
      if (start[d] == end[d]) {
        return true;
      }
    }
    return false;
  }

  /**
   * Number of elements.
   *
   * @throws ArithmeticException if it exceeds 2^63 - 1
   */
  public long elements() {
    return isEmpty() ? 0 : Shape.of(size()).elements();
  }

  /** Whether a {@code long} can number its elements. */
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

  /** As {@code [0:4, 10:20]}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int d = 0; d < start.length; d++) {
      text.append(d == 0 ? "" : ", ").append(start[d]).append(':').append(end[d]);
    }
    return text.append(']').toString();
  }
}
