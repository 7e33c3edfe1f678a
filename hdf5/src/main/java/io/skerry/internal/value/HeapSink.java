package io.skerry.internal.value;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import java.lang.foreign.MemorySegment;

/** Takes content of variable length and says where it will stand in the file. */
@FunctionalInterface
public interface HeapSink {
  /**
   * Stores bytes in the global heap.
   *
   * @param content copied; none is stored nowhere
   */
  GlobalHeapWriter.Reference add(MemorySegment content);

  /**
   * Stores the content of a part of variable length and fills the part: {@code length u32 |
   * collection address O | object index u32}, unless content goes elsewhere.
   *
   * @param part its place in an element
   * @param length members of the content
   * @param widths of the file
   */
  default void put(MemorySegment part, long length, MemorySegment content, Widths widths) {
    GlobalHeapWriter.Reference at = add(content);
    ByteWriter pointer = ByteWriter.create().u32(length);
    widths.writeAddress(pointer, at.collection());
    pointer.u32(at.index());
    MemorySegment.copy(pointer.written(), 0, part, 0, pointer.position());
  }
}
