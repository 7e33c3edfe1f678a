package io.skerry.datatype;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An array within one element (class 10).
 *
 * @param dimensions the sizes of the 1 to 32 dimensions, slowest-changing dimension first, each at
 *     least 1
 * @param base the base type: the type of an element of the array
 */
public record ArrayType(List<Integer> dimensions, Datatype base) implements Datatype {
  /**
   * Creates an array type. Local, thread-safe.
   *
   * @throws IllegalArgumentException if there are no dimensions or more than 32, a dimension is
   *     below 1, or an element has 2^31 bytes or more
   */
  public ArrayType {
    dimensions = List.copyOf(dimensions);
    if (dimensions.isEmpty() || dimensions.size() > 32) {
      throw new IllegalArgumentException(
          "an array type has 1 to 32 dimensions: rank=" + dimensions.size());
    }
    bytes(dimensions, base);
  }

  private static long bytes(List<Integer> dimensions, Datatype base) {
    long bytes = base.size();
    for (int dimension : dimensions) {
      bytes = dimension < 1 ? Long.MAX_VALUE : bytes * dimension;
      if (bytes > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "array type empty or too large: dimensions=" + dimensions + " base=" + base.size());
      }
    }
    return bytes;
  }

  /**
   * Returns the size of an element in bytes: the product of the dimensions and the size of the base
   * type. Local, thread-safe; does not fail.
   */
  @Override
  public int size() {
    return (int) bytes(dimensions, base);
  }

  @Override
  public String toString() {
    return dimensions.stream()
        .map(String::valueOf)
        .collect(Collectors.joining(",", "array[", "]{" + base + "}"));
  }
}
