package io.skerry.chunk.datatype.conversion;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The bytes of an element that a conversion writes. All other bytes keep their values.
 *
 * @param size the size of an element in bytes
 * @param ranges the ranges within the element, in ascending order and without overlap
 */
public record ElementParts(int size, List<Range> ranges) {
  /**
   * A range of bytes.
   *
   * @param offset the offset of the first byte in an element
   * @param length the number of bytes, at least 1
   */
  public record Range(int offset, int length) {
    /**
     * Creates a range.
     *
     * @throws IllegalArgumentException if the offset is negative, the range is empty, or its end
     *     exceeds 2^31-1
     */
    public Range {
      if (offset < 0 || length < 1 || offset > Integer.MAX_VALUE - length) {
        throw new IllegalArgumentException(
            "range of an element: offset=" + offset + " length=" + length);
      }
    }
  }

  /**
   * Creates a set of ranges.
   *
   * @throws IllegalArgumentException if a range is not within the element
   */
  public ElementParts {
    ranges = List.copyOf(ranges);
    for (Range range : ranges) {
      if (range.offset + range.length > size) {
        throw new IllegalArgumentException("range outside the element: " + range + " size=" + size);
      }
    }
  }

  /**
   * Copies the bytes in the ranges from each source element to the corresponding target element.
   *
   * @param elements the source elements
   * @param onto the target elements
   * @param count the number of elements
   */
  public void copy(MemorySegment elements, MemorySegment onto, long count) {
    for (Range range : ranges) {
      StridedCopy.copy(elements, range.offset, size, onto, range.offset, size, range.length, count);
    }
  }
}
