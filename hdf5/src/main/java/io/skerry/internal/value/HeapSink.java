package io.skerry.internal.value;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import java.lang.foreign.MemorySegment;

/** Stores variable-length content and returns its location in the file. */
@FunctionalInterface
public interface HeapSink {
  /**
   * Stores bytes in the global heap.
   *
   * @param content the bytes, which are copied; may be empty
   */
  GlobalHeapWriter.Reference add(MemorySegment content);

  /**
   * Stores variable-length content and writes the pointer to it: {@code length u32 | collection
   * address O | object index u32}. An implementation may store the content elsewhere.
   *
   * @param part the bytes of an element that receive the pointer
   * @param length the number of elements of the base type
   * @param widths the widths of the file
   */
  default void put(MemorySegment part, long length, MemorySegment content, Widths widths) {
    GlobalHeapWriter.Reference at = add(content);
    ByteWriter pointer = ByteWriter.create().u32(length);
    widths.writeAddress(pointer, at.collection());
    pointer.u32(at.index());
    MemorySegment.copy(pointer.written(), 0, part, 0, pointer.position());
  }
}
