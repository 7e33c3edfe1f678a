package io.skerry.chunk.content;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Variable-length content in one array. A pointer is the offset of the content plus one. Not
 * thread-safe.
 */
public final class ContentArea implements ContentSink {
  private static final int LEAST = 64;

  private byte[] bytes = new byte[LEAST];
  private int used;
  private long heapBytes;

  @Override
  public long keep(MemorySegment content) {
    long end = used + content.byteSize();
    if (end > HeapBytes.MAX_ARRAY) {
      throw new UnsupportedFeatureException(
          "more than 2 GiB of variable-length content at once: bytes=" + end,
          "smaller parts, or smaller chunks");
    }
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(HeapBytes.MAX_ARRAY, Math.max(end, used * 2L)));
    }
    MemorySegment.copy(content, 0, MemorySegment.ofArray(bytes), used, content.byteSize());
    long pointer = used + 1L;
    used = (int) end;
    heapBytes += ChunkHeap.objectBytes(content.byteSize());
    return pointer;
  }

  /** Returns a view of the content. The view must not be changed. */
  public MemorySegment written() {
    return MemorySegment.ofArray(bytes).asSlice(0, used);
  }

  /**
   * Returns the content in a segment whose backing array has exactly the size of the content, for
   * callers that retain the segment. The segment must not be changed.
   */
  public MemorySegment trimmed() {
    return MemorySegment.ofArray(used == bytes.length ? bytes : Arrays.copyOf(bytes, used));
  }

  /** Returns the size, in bytes, that the content has when stored as objects of a chunk heap. */
  public long heapBytes() {
    return heapBytes;
  }

  /**
   * Returns a source that finds the content of an area by the pointers that the area returned.
   *
   * @param content the content of the area
   */
  public static ContentSource places(MemorySegment content) {
    return (pointer, length) -> {
      if (pointer < 1 || length > content.byteSize() - (pointer - 1)) {
        throw new FormatException(
            "content of a variable-length value outside the values",
            "inside " + content.byteSize() + " bytes",
            "offset " + (pointer - 1) + ", " + length + " bytes");
      }
      return content.asSlice(pointer - 1, length);
    };
  }
}
