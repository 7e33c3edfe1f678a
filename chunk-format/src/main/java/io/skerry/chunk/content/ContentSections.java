package io.skerry.chunk.content;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;

/**
 * Encodes and decodes sections 1 and 2 of structured chunks with variable-length values, without
 * applying filters. {@code VariableChunkFormat} and {@link ChunkHeap} describe the layout.
 *
 * @param packing the element size and the locations of the variable-length parts
 * @param lengthSize size of a length in the file, in bytes
 */
public record ContentSections(ContentPacking packing, int lengthSize) {
  /**
   * Fixed part of the limit on decoded content, in bytes; {@code SHARED_PER_BYTE} bytes are added
   * for each byte of the chunk heap.
   */
  private static final long SHARED = 1 << 20;

  private static final int SHARED_PER_BYTE = 4;

  /**
   * Sections 1 and 2 of a chunk, with their checksums.
   *
   * @param values section 1
   * @param heap section 2; empty if there are no objects
   */
  public record Sections(MemorySegment values, MemorySegment heap) {}

  /**
   * Rejects values that are too large to store in a chunk.
   *
   * @param elements size of the elements in bytes
   * @param heapBytes size of their content as objects of a chunk heap, in bytes
   * @throws UnsupportedFeatureException if the values or their content exceed the maximum size of a
   *     section
   */
  public void checkRoom(long elements, long heapBytes) {
    if (heapBytes > ChunkHeap.room(lengthSize) || elements > HeapBytes.MAX_ARRAY - Integer.BYTES) {
      throw new UnsupportedFeatureException(
          "more values of variable length than a chunk has room for: elementBytes="
              + elements
              + " heapBytes="
              + heapBytes
              + " heapRoom="
              + ChunkHeap.room(lengthSize),
          "a structured chunk; take a smaller chunk shape");
    }
  }

  /**
   * Encodes values as sections 1 and 2.
   *
   * @throws FormatException if a descriptor is invalid
   * @throws UnsupportedFeatureException if the content exceeds the maximum size of section 2
   */
  public Sections encode(PackedContent packed) {
    ChunkHeap.Builder heap = new ChunkHeap.Builder(lengthSize);
    MemorySegment elements = HeapBytes.allocate(packed.elements().byteSize());
    new ContentCopy(ContentArea.places(packed.content()), heap)
        .copy(packing.parts(), packing.elementSize(), packed.elements(), elements);
    MemorySegment values =
        ByteWriter.withCapacity(Math.toIntExact(elements.byteSize() + Integer.BYTES))
            .bytes(elements)
            .checksumFrom(0)
            .written();
    ByteWriter objects = heap.section();
    return new Sections(
        values,
        objects.position() == 0 ? HeapBytes.allocate(0) : objects.checksumFrom(0).written());
  }

  /**
   * Decodes values into new memory.
   *
   * @param values section 1 without its checksum: the elements in row-major order
   * @param heap section 2 without its checksum
   * @throws FormatException if a descriptor is invalid, if the heap is damaged, or if so many
   *     values share content that their copies exceed a limit
   * @throws UnsupportedFeatureException if the content exceeds 2 GiB
   */
  public PackedContent decode(MemorySegment values, MemorySegment heap) {
    MemorySegment elements = HeapBytes.allocate(values.byteSize());
    ContentArea area = new ContentArea();
    ContentSource found = ChunkHeap.Reader.of(heap, lengthSize);
    try {
      new ContentCopy(found, guarded(area, heap.byteSize()))
          .copy(packing.parts(), packing.elementSize(), values, elements);
    } catch (FormatException e) {
      throw e.inPart("section 1");
    }
    return new PackedContent(elements, area.trimmed());
  }

  /**
   * Returns a sink that stores content in the given area, up to a limit on the total size. Without
   * this limit, many elements that refer to the same content of a small heap could exhaust the
   * memory.
   */
  private static ContentSink guarded(ContentArea area, long heapBytes) {
    long limit = SHARED + SHARED_PER_BYTE * heapBytes;
    return content -> {
      long kept = area.written().byteSize() + content.byteSize();
      if (kept > limit) {
        throw new FormatException(
            "objects of section 2 that many values share", "at most " + limit + " bytes", kept);
      }
      return area.keep(content);
    };
  }
}
