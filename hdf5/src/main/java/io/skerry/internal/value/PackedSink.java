package io.skerry.internal.value;

import io.skerry.chunk.content.PackedContent;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import java.lang.foreign.MemorySegment;

/**
 * Packs variable-length content with the elements, in the form of {@link PackedContent}; the data
 * of references are stored in the global heap. Not thread-safe.
 */
public final class PackedSink implements HeapSink {
  private final HeapSink heap;
  private final PackedContent.Builder content = new PackedContent.Builder();

  /**
   * Creates a sink.
   *
   * @param heap the sink that stores the data of references
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

  /** Returns elements together with their packed content. */
  public MemorySegment join(MemorySegment elements) {
    return content.join(elements);
  }
}
