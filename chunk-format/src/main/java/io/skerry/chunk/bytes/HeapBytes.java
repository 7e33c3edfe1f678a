package io.skerry.chunk.bytes;

import io.skerry.exception.MemoryLimitException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Byte arrays and heap segments of any length that a chunk can have, 4 GiB included. */
public final class HeapBytes {
  /** The longest byte array that every JVM makes. */
  public static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

  /** Bytes that fit into any heap. */
  private static final long LARGE = 1 << 20;

  private HeapBytes() {}

  /** Tests whether all bytes have the same value, without memory for a block to compare with. */
  public static boolean isUniform(MemorySegment block) {
    // Equal to itself, moved by one byte.
    long bytes = block.byteSize();
    return bytes < 2 || block.asSlice(1).mismatch(block.asSlice(0, bytes - 1)) == -1;
  }

  /** Tests whether all bytes are zero. */
  public static boolean isZeros(MemorySegment block) {
    return block.byteSize() == 0 || block.get(ValueLayout.JAVA_BYTE, 0) == 0 && isUniform(block);
  }

  /**
   * A zeroed heap segment; over a {@code byte[]} wherever one is long enough.
   *
   * @throws MemoryLimitException if it is larger than the heap may become, or than what is free
   */
  public static MemorySegment allocate(long bytes) {
    return bytes <= LARGE
        ? MemorySegment.ofArray(new byte[(int) bytes])
        : MemoryLimit.make(bytes, 1, () -> "one block", () -> large(bytes));
  }

  private static MemorySegment large(long bytes) {
    return bytes <= MAX_ARRAY
        ? MemorySegment.ofArray(new byte[(int) bytes])
        : MemorySegment.ofArray(new long[Math.toIntExact((bytes + 7) >>> 3)]).asSlice(0, bytes);
  }

  /**
   * A heap copy.
   *
   * @throws MemoryLimitException if it is larger than the heap may become, or than what is free
   */
  public static MemorySegment copyOf(MemorySegment source) {
    long bytes = source.byteSize();
    if (bytes > MAX_ARRAY) {
      return allocate(bytes).copyFrom(source);
    }
    return bytes <= LARGE
        ? arrayCopy(source)
        : MemoryLimit.make(bytes, 1, () -> "a copy of one block", () -> arrayCopy(source));
  }

  private static MemorySegment arrayCopy(MemorySegment source) {
    if (source.heapBase().orElse(source) instanceof byte[] array) {
      // The copy of an array, unlike that of a segment, does not fill the new one with zeros first.
      int start = (int) source.address();
      int end = start + (int) source.byteSize();
      return MemorySegment.ofArray(Arrays.copyOfRange(array, start, end));
    }
    return MemorySegment.ofArray(source.toArray(ValueLayout.JAVA_BYTE));
  }

  /** The bytes as a whole array: the one beneath the segment if it is exactly that, else a copy. */
  public static byte[] arrayOf(MemorySegment source) {
    if (source.heapBase().orElse(null) instanceof byte[] array
        && array.length == source.byteSize()
        && !source.isReadOnly()) {
      return array;
    }
    return source.toArray(ValueLayout.JAVA_BYTE);
  }
}
