package io.skerry.chunk.bytes;

import io.skerry.exception.MemoryLimitException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Allocates, copies and tests blocks of bytes. A heap segment can exceed the size of the longest
 * {@code byte[]}, because a chunk can be larger than 2 GiB.
 */
public final class HeapBytes {
  /** The maximum array length: slightly below 2^31-1, because some JVMs cannot allocate more. */
  public static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

  /** The size, in bytes, above which an allocation is checked against {@link MemoryLimit#heap}. */
  private static final long LARGE = 1 << 20;

  /** The maximum size of a heap segment in bytes: that of the longest array of 8-byte numbers. */
  private static final long LONGEST = 8L * MAX_ARRAY;

  private HeapBytes() {}

  /** Returns whether all bytes of the block are equal; true for an empty block. */
  public static boolean isUniform(MemorySegment block) {
    // Compare the block with itself, shifted by one byte.
    long bytes = block.byteSize();
    return bytes < 2 || block.asSlice(1).mismatch(block.asSlice(0, bytes - 1)) == -1;
  }

  /** Returns whether all bytes are zero. */
  public static boolean isZeros(MemorySegment block) {
    return block.byteSize() == 0 || block.get(ValueLayout.JAVA_BYTE, 0) == 0 && isUniform(block);
  }

  /**
   * Allocates a zeroed heap segment, backed by a {@code byte[]} unless the size exceeds {@link
   * #MAX_ARRAY}.
   *
   * @param bytes the size in bytes
   * @throws MemoryLimitException if the size exceeds {@link MemoryLimit#heap}, the free heap, or
   *     the size of the longest array of 8-byte numbers
   */
  public static MemorySegment allocate(long bytes) {
    if (bytes > LARGE) {
      return MemoryLimit.make(bytes, 1, () -> "one block", () -> large(bytes));
    }
    try {
      return MemorySegment.ofArray(new byte[(int) bytes]);
    } catch (OutOfMemoryError e) {
      throw MemoryLimit.exhausted(bytes, 1, "one block", e);
    }
  }

  static MemorySegment large(long bytes) {
    if (bytes > LONGEST) {
      // A larger heap would not help.
      throw new MemoryLimitException("one block", bytes, LONGEST, "none");
    }
    return bytes <= MAX_ARRAY
        ? MemorySegment.ofArray(new byte[(int) bytes])
        : MemorySegment.ofArray(new long[(int) ((bytes + 7) >>> 3)]).asSlice(0, bytes);
  }

  /**
   * Copies a segment to the heap.
   *
   * @throws MemoryLimitException under the same conditions as {@link #allocate}
   */
  public static MemorySegment copyOf(MemorySegment source) {
    long bytes = source.byteSize();
    if (bytes > MAX_ARRAY) {
      return allocate(bytes).copyFrom(source);
    }
    if (bytes > LARGE) {
      return MemoryLimit.make(bytes, 1, () -> "a copy of one block", () -> arrayCopy(source));
    }
    try {
      return arrayCopy(source);
    } catch (OutOfMemoryError e) {
      throw MemoryLimit.exhausted(bytes, 1, "a copy of one block", e);
    }
  }

  private static MemorySegment arrayCopy(MemorySegment source) {
    if (source.heapBase().orElse(source) instanceof byte[] array) {
      // Unlike a copy between segments, Arrays.copyOfRange does not zero the new array first.
      int start = (int) source.address();
      int end = start + (int) source.byteSize();
      return MemorySegment.ofArray(Arrays.copyOfRange(array, start, end));
    }
    return MemorySegment.ofArray(source.toArray(ValueLayout.JAVA_BYTE));
  }

  /**
   * Returns the bytes as an array: the array of the segment if the segment covers all of it and is
   * not read-only, otherwise a copy.
   */
  public static byte[] arrayOf(MemorySegment source) {
    if (source.heapBase().orElse(null) instanceof byte[] array
        && array.length == source.byteSize()
        && !source.isReadOnly()) {
      return array;
    }
    return source.toArray(ValueLayout.JAVA_BYTE);
  }
}
