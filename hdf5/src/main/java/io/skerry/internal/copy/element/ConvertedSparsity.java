package io.skerry.internal.copy.element;

import io.skerry.SparsityConversion;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.format.Bytes;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.internal.dataset.NativeDataset;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A conversion between dense and sparse storage, with the value that marks undefined elements.
 *
 * @param leavesOut true if elements with that value are left out of the copy
 */
record ConvertedSparsity(SparsityConversion change, UndefinedValue undefined, boolean leavesOut) {
  /**
   * Returns the conversion of a dataset; empty if none is requested, or if it is not possible and
   * the copy keeps the storage of the dataset.
   *
   * @param copy the object header of the copy
   */
  static Optional<ConvertedSparsity> of(CopiedDataset work, ObjectHeader copy) {
    boolean isConverted = isStructured(work.dataset().header()) != isStructured(copy);
    return work.change()
        .redefinition()
        .filter(_ -> isConverted)
        .map(how -> of(how, work.dataset()));
  }

  private static boolean isStructured(ObjectHeader header) {
    return header.require(LayoutMessage.class) instanceof ChunkedLayout layout
        && layout.form().isStructured();
  }

  private static ConvertedSparsity of(SparsityConversion change, NativeDataset dataset) {
    MemorySegment value = change.undefined().map(Bytes::segment).orElseGet(dataset::fillElement);
    boolean toSparse = change.kind() == SparsityConversion.Kind.DENSE_TO_SPARSE;
    // The sparse sources of a virtual dataset determine which elements are undefined, so no value
    // is needed to mark them.
    boolean knows = dataset.isSparse() && change.undefined().isEmpty();
    return new ConvertedSparsity(
        change, new UndefinedValue(dataset.datatype(), value), toSparse && !knows);
  }

  private boolean counts() {
    return leavesOut || change.kind() == SparsityConversion.Kind.SPARSE_TO_DENSE;
  }

  /**
   * Returns the chunks to visit. Elements without storage have the fill value. If a conversion to
   * sparse storage marks undefined elements with a different value, the elements without storage
   * become defined, so all chunks are visited.
   */
  CopyRounds.Coverage coverage(NativeDataset dataset) {
    return leavesOut && !undefined.is(dataset.fillElement(), 0)
        ? CopyRounds.Coverage.ALL
        : CopyRounds.Coverage.STORED;
  }

  /**
   * Reports the number of elements of a chunk that have the value that marks undefined elements,
   * and removes them from the chunk if they are to be left out. Does neither if a conversion to
   * sparse storage leaves out no elements with that value.
   */
  MemoryChunk convert(
      ChunkFormat format, MemoryChunk chunk, RunSet elements, MemorySegment values) {
    if (!counts()) {
      return chunk;
    }
    RunSet among = undefined.among(elements, values);
    change.counted().accept(among.count());
    return leavesOut ? format.erase(chunk, among) : chunk;
  }
}
