package io.skerry.chunk.content;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.datatype.VariableLengthParts;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Takes values with content apart by chunks and puts them together again; the layout is that of
 * {@link PackedContent}.
 *
 * @param elementSize bytes per element without its content
 * @param parts where elements have content
 */
public record ContentPacking(int elementSize, VariableLengthParts parts) {

  /** Bytes of elements without their content. */
  public long bytes(long elements) {
    return Math.multiplyExact(elements, elementSize);
  }

  /**
   * The values of one chunk out of those of a whole selection.
   *
   * @param packed values of the selection in its order
   * @return values of the slice in ascending element order
   */
  public MemorySegment gather(ChunkSlice slice, PackedContent packed) {
    MemorySegment elements = HeapBytes.allocate(bytes(slice.elements().count()));
    slice.gather(packed.elements(), elementSize, elements);
    ContentArea area = new ContentArea();
    new ContentCopy(ContentArea.places(packed.content()), area)
        .copy(parts, elementSize, elements, elements);
    return new PackedContent(elements, area.written()).joined();
  }

  /**
   * What one chunk gives to a selection.
   *
   * @param packed values of the slice in ascending element order
   */
  public record Share(ChunkSlice slice, MemorySegment packed) {}

  /**
   * The values of a whole selection out of those of the chunks that it meets.
   *
   * @param count elements of the selection
   */
  public PackedContent assemble(long count, List<Share> shares) {
    MemorySegment elements = HeapBytes.allocate(bytes(count));
    ContentArea area = new ContentArea();
    for (Share share : shares) {
      PackedContent packed =
          PackedContent.split(share.packed, bytes(share.slice.elements().count()));
      MemorySegment own = HeapBytes.allocate(packed.elements().byteSize());
      ContentCopy.sharing(ContentArea.places(packed.content()), area)
          .copy(parts, elementSize, packed.elements(), own);
      share.slice.scatter(own, elementSize, elements);
    }
    return new PackedContent(elements, area.written());
  }
}
