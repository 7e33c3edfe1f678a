package io.skerry.internal.value;

import io.skerry.chunk.content.PackedContent;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import java.lang.foreign.MemorySegment;

/**
 * Keeps content of variable length with the elements, as {@link PackedContent}; what references
 * need goes to the global heap all the same. Not thread-safe.
 */
public final class PackedSink implements HeapSink {
  private final HeapSink heap;
  private final PackedContent.Builder content = new PackedContent.Builder();

  /**
   * @param heap takes what references need
   */
  public PackedSink(HeapSink heap) {
    this.heap = heap;
  }

  @Override
  public GlobalHeapWriter.Reference add(MemorySegment bytes) {
    return heap.add(bytes);
  }

  @Override
  public void put(MemorySegment part, long length, MemorySegment bytes, Widths widths) {
    content.put(part, length, bytes);
  }

  /** Elements with the content that was kept for them. */
  public MemorySegment join(MemorySegment elements) {
    return content.join(elements);
  }
}
