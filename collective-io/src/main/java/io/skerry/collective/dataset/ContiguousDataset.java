package io.skerry.collective.dataset;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A dataset that stands in one block of the file, row-major, as the collective code sees it.
 *
 * @param name path, for messages
 * @param shape extent
 * @param elementSize bytes of an element in the file
 * @param fill one element as in the file: the value of elements that were never written; empty for
 *     zeros, which need no memory however large an element is
 * @param address of the block; empty if it was not needed yet
 */
public record ContiguousDataset(
    String name,
    Shape shape,
    int elementSize,
    Optional<MemorySegment> fill,
    Optional<Long> address) {
  /**
   * What one rank writes.
   *
   * @param selection its elements
   * @param packed their values in selection order, in the memory type
   * @param conversion from the memory type to the file datatype; what it keeps of an element stays
   */
  public record Part(Selection selection, MemorySegment packed, Conversion conversion) {
    public static final Part NOTHING =
        new Part(
            Selection.none(),
            MemorySegment.ofArray(new byte[0]).asReadOnly(),
            Conversion.none(Datatype.U8));

    /**
     * Values as they are to stand in the file.
     *
     * @param offset first byte among the values of all elements, in the file datatype
     * @param out holds what is kept
     */
    public void fetch(long offset, MemorySegment out) {
      if (conversion.isIdentity()) {
        MemorySegment.copy(packed, offset, out, 0, out.byteSize());
        return;
      }
      int size = conversion.to().size();
      long count = out.byteSize() / size;
      long from = offset / size * conversion.from().size();
      conversion.convert(packed.asSlice(from, count * conversion.from().size()), out, count);
    }
  }

  /** Bytes of the block. */
  public long bytes() {
    return Math.multiplyExact(shape.elements(), (long) elementSize);
  }

  /** Tests whether elements that were never written are zero bytes. */
  public boolean isFilledWithZeros() {
    return fill.map(HeapBytes::isZeros).orElse(true);
  }

  /** Writes the fill value to memory for whole elements. */
  public void fillUp(MemorySegment elements) {
    if (fill.isEmpty()) {
      elements.fill((byte) 0);
      return;
    }
    for (long at = 0; at < elements.byteSize(); at += elementSize) {
      MemorySegment.copy(fill.get(), 0, elements, at, elementSize);
    }
  }

  public ContiguousDataset at(long where) {
    return new ContiguousDataset(name, shape, elementSize, fill, Optional.of(where));
  }
}
