package io.skerry.collective.dataset;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.Datatype;
import io.skerry.format.block.Block;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;

/**
 * A dataset that is stored in one block of the file, in row-major order.
 *
 * @param name the path of the dataset, for messages
 * @param shape the extent
 * @param elementSize the number of bytes of an element in the file
 * @param fill the fill value, one element in the file datatype; empty for a fill value of zeros, so
 *     that large elements need no memory for it
 * @param address the address of the block; empty if it is not allocated yet
 */
public record ContiguousDataset(
    String name,
    Shape shape,
    int elementSize,
    Optional<MemorySegment> fill,
    Optional<Long> address) {
  /**
   * The part of a write that belongs to one rank.
   *
   * @param selection the elements to write
   * @param packed the values in selection order, in the memory datatype
   * @param conversion the conversion from the memory datatype to the file datatype; parts of
   *     elements that it does not write keep their values
   */
  public record Part(Selection selection, MemorySegment packed, Conversion conversion) {
    public static final Part NOTHING =
        new Part(
            Selection.none(),
            MemorySegment.ofArray(new byte[0]).asReadOnly(),
            Conversion.none(Datatype.U8));

    /**
     * Copies a range of the values, converted to the file datatype.
     *
     * @param offset the offset of the first byte of the range in the sequence of all values, in the
     *     file datatype
     * @param out the memory for the values, which determines the length of the range; parts of
     *     elements that the conversion does not write keep their bytes
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

  /**
   * A write, as prepared by one rank.
   *
   * @param address the address of the block; empty if it is not allocated yet
   * @param part the part of this rank
   * @param recording a function that returns the action that stores a new block in the metadata; it
   *     reads everything that the action needs, so that the action does not fail
   * @param publication the action that runs on this rank before any new value of the write, from
   *     any rank, can be read; must not fail
   */
  public record Write(
      Optional<Long> address,
      Part part,
      Function<Block, Runnable> recording,
      Runnable publication) {
    public static final Write NOTHING =
        new Write(Optional.empty(), Part.NOTHING, _ -> () -> {}, () -> {});
  }

  /** Returns the number of bytes of the block. */
  public long bytes() {
    return Math.multiplyExact(shape.elements(), (long) elementSize);
  }

  /** Returns whether the fill value consists of zero bytes. */
  public boolean isFilledWithZeros() {
    return fill.map(HeapBytes::isZeros).orElse(true);
  }

  /** Fills memory with the fill value. The memory holds a whole number of elements. */
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
