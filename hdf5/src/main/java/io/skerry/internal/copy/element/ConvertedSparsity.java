package io.skerry.internal.copy.element;

import io.skerry.SparsityConversion;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.format.Bytes;
import io.skerry.internal.dataset.NativeDataset;
import java.lang.foreign.MemorySegment;

/** A conversion between dense and sparse storage, with the value that marks undefined elements. */
record ConvertedSparsity(SparsityConversion change, UndefinedValue undefined) {
  static ConvertedSparsity of(SparsityConversion change, NativeDataset dataset) {
    MemorySegment value = change.undefined().map(Bytes::segment).orElseGet(dataset::fillElement);
    return new ConvertedSparsity(change, new UndefinedValue(dataset.datatype(), value));
  }

  private boolean leavesOut() {
    return change.kind() == SparsityConversion.Kind.DENSE_TO_SPARSE;
  }

  /**
   * Returns the chunks to visit. Elements without storage have the fill value. If a conversion to
   * sparse storage marks undefined elements with a different value, the elements without storage
   * become defined, so all chunks are visited.
   */
  CopyRounds.Coverage coverage(NativeDataset dataset) {
    return leavesOut() && !undefined.is(dataset.fillElement(), 0)
        ? CopyRounds.Coverage.ALL
        : CopyRounds.Coverage.STORED;
  }

  /**
   * Reports the number of elements of a chunk that have the value that marks undefined elements. A
   * conversion to sparse storage also removes these elements from the chunk.
   */
  MemoryChunk convert(
      ChunkFormat format, MemoryChunk chunk, RunSet elements, MemorySegment values) {
    RunSet among = undefined.among(elements, values);
    change.counted().accept(among.count());
    return leavesOut() ? format.erase(chunk, among) : chunk;
  }
}
