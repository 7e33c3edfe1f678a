package io.skerry.chunk.datatype.conversion;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Some of the bytes of an element: what a conversion writes, while it keeps the others.
 *
 * @param size bytes of an element
 * @param ranges ascending and apart, within the element
 */
public record ElementParts(int size, List<Range> ranges) {
  /**
   * Bytes side by side.
   *
   * @param offset the first, counted from the begin of an element
   * @param length how many
   */
  public record Range(int offset, int length) {
    /** Refuses a range outside every element. */
    public Range {
      if (offset < 0 || length < 1 || offset > Integer.MAX_VALUE - length) {
        throw new IllegalArgumentException(
            "range of an element: offset=" + offset + " length=" + length);
      }
    }
  }

  /** Refuses ranges outside the element. */
  public ElementParts {
    ranges = List.copyOf(ranges);
    for (Range range : ranges) {
      if (range.offset + range.length > size) {
        throw new IllegalArgumentException("range outside the element: " + range + " size=" + size);
      }
    }
  }

  /** Copies these bytes of each element onto another. */
  public void copy(MemorySegment elements, MemorySegment onto, long count) {
    for (Range range : ranges) {
      StridedCopy.copy(elements, range.offset, size, onto, range.offset, size, range.length, count);
    }
  }
}
