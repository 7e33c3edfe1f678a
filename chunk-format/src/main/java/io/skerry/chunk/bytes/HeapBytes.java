package io.skerry.chunk.bytes;

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

  /**
   * A zeroed heap segment; over a {@code byte[]} wherever one is long enough.
   *
   * @throws MemoryLimitException if it is larger than the heap may become
   */
  public static MemorySegment allocate(long bytes) {
    if (bytes > LARGE && bytes > Runtime.getRuntime().maxMemory()) {
      throw new MemoryLimitException(bytes, Runtime.getRuntime().maxMemory());
    }
    return bytes <= MAX_ARRAY
        ? MemorySegment.ofArray(new byte[(int) bytes])
        : MemorySegment.ofArray(new long[Math.toIntExact((bytes + 7) >>> 3)]).asSlice(0, bytes);
  }

  /** A heap copy. */
  public static MemorySegment copyOf(MemorySegment source) {
    if (source.byteSize() > MAX_ARRAY) {
      return allocate(source.byteSize()).copyFrom(source);
    }
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
