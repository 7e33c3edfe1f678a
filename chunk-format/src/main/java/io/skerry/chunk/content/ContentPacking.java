package io.skerry.chunk.content;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.datatype.VariableLengthParts;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Splits values with variable-length content by chunk and joins them again. {@link PackedContent}
 * describes the layout of the values.
 *
 * @param elementSize size of an element without its content, in bytes
 * @param parts locations of the variable-length parts in an element
 */
public record ContentPacking(int elementSize, VariableLengthParts parts) {

  /**
   * Returns the size of the given number of elements, without their content, in bytes.
   *
   * @throws ArithmeticException if the size exceeds a long
   */
  public long bytes(long elements) {
    return Math.multiplyExact(elements, elementSize);
  }

  /**
   * Extracts the values of one chunk from those of an entire selection.
   *
   * @param slice the part of the selection in the chunk
   * @param packed the values of the selection, in the order of the selection
   * @return the elements of the slice in ascending order of their index in the chunk, followed by
   *     their content
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
   * The values of a selection that belong to one chunk.
   *
   * @param slice the part of the selection in the chunk
   * @param packed the elements of the slice in ascending order of their index in the chunk,
   *     followed by their content
   */
  public record Share(ChunkSlice slice, MemorySegment packed) {}

  /**
   * Assembles the values of an entire selection from its values in each chunk.
   *
   * @param count number of elements of the selection
   * @param shares the values of the selection in each chunk
   * @return the values in the order of the selection
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
