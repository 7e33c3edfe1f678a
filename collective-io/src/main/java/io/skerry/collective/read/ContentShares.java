package io.skerry.collective.read;

import io.skerry.cache.request.ReadRequest;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the selected elements of each chunk with their variable-length content, for a dataset
 * whose chunks store both together. Thread-safe.
 */
final class ContentShares {
  private final ChunkedDataset dataset;
  private final Shape shape;
  private final ContentPacking packing;
  private final List<ContentPacking.Share> shares = new ArrayList<>();

  /**
   * Creates an empty collection.
   *
   * @param shape the extent within which the selection is read
   */
  ContentShares(ChunkedDataset dataset, Shape shape) {
    this.dataset = dataset;
    this.shape = shape;
    this.packing = dataset.format().contentPacking().orElseThrow();
  }

  /**
   * Returns a request that reads the given slices through the cache and adds their elements to this
   * collection.
   */
  ReadRequest request(Selection selection, List<ChunkSlice> slices) {
    return new ReadRequest(dataset.chunks(), selection, slices, this::add, List.of());
  }

  /** Adds the elements of one chunk. */
  void add(ChunkSlice slice, MemoryChunk chunk) {
    MemorySegment packed =
        dataset
            .format()
            .readPacked(chunk, slice.elements(), (bytes, _) -> HeapBytes.allocate(bytes));
    synchronized (shares) {
      shares.add(new ContentPacking.Share(slice, packed));
    }
  }

  /** Returns the elements of all chunks in selection order, with their content. */
  PackedContent assemble(Selection selection) {
    return packing.assemble(selection.count(shape), shares);
  }
}
