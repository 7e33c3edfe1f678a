package io.skerry.collective.read;

import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat.Definedness;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.file.MemoryView;
import java.lang.foreign.MemorySegment;

/**
 * Reads whole chunks directly into the caller's memory, if their stored images consist exactly of
 * their values. Local, thread-safe.
 */
final class InPlaceReader {
  /**
   * The minimum mean size, in bytes, of the destination blocks. If the blocks are smaller, reading
   * into a buffer and copying is faster.
   */
  private static final long LEAST_PIECE = 1024;

  private final ChunkImageReader images;
  private final ChunkedDataset dataset;
  private final MemorySegment packed;

  /**
   * Creates a reader for one selection.
   *
   * @param packed the memory for the values of the whole selection
   */
  InPlaceReader(ChunkImageReader images, ChunkedDataset dataset, MemorySegment packed) {
    this.images = images;
    this.dataset = dataset;
    this.packed = packed;
  }

  /**
   * Reads the part of the selection in one chunk, if no intermediate buffer is needed.
   *
   * @return true if the values were read; if false, the caller must read and decode the chunk
   */
  boolean read(ChunkSlice slice, ChunkRecord record) {
    return isPlain(dataset, record) && isWhole(slice) && scatter(slice, record);
  }

  /** Returns whether a stored image consists exactly of the values of its chunk. */
  static boolean isPlain(ChunkedDataset dataset, ChunkRecord record) {
    return dataset.format().definedness() == Definedness.ALL
        && dataset.format().storedAt(0).isPresent()
        && dataset.format().encodedSize() instanceof EncodedSize.Exactly(long bytes)
        && record.sections().sections() == 1
        && record.sections().size() == bytes;
  }

  /**
   * Returns whether every element of the chunk is read exactly once. This is never the case for a
   * partial chunk at the edge of the extent.
   */
  private boolean isWhole(ChunkSlice slice) {
    long elements = dataset.format().elements();
    return slice.elements().count() == elements && slice.places() == elements;
  }

  private boolean scatter(ChunkSlice slice, ChunkRecord record) {
    int size = dataset.format().datatype().size();
    if (record.sections().size() < LEAST_PIECE * slice.pieces()) {
      return false;
    }
    long[] offsets = new long[slice.pieces()];
    long[] lengths = new long[slice.pieces()];
    int[] next = {0};
    slice.forEachPiece((place, length) -> {
      offsets[next[0]] = place * size;
      lengths[next[0]++] = length * size;
    });
    return images.scatterAlone(record, packed, MemoryView.of(offsets, lengths));
  }
}
