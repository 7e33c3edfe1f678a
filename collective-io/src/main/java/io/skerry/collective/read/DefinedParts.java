package io.skerry.collective.read;

import io.skerry.cache.request.DefinedRequest;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects the defined elements of each chunk. Thread-safe. */
final class DefinedParts {
  private final ChunkedDataset dataset;
  private final List<Selection> found = new ArrayList<>();

  DefinedParts(ChunkedDataset dataset) {
    this.dataset = dataset;
  }

  /**
   * Returns a request that reads the given slices through the cache and adds their defined elements
   * to this collection.
   */
  DefinedRequest request(Selection selection, Supplier<List<ChunkSlice>> slices) {
    return new DefinedRequest(dataset.chunks(), selection, slices, this::add);
  }

  /**
   * Adds the defined elements of one chunk.
   *
   * @param defined the defined elements, numbered within the chunk
   */
  void add(ChunkSlice slice, RunSet defined) {
    Selection part = dataset.grid().toDataset(defined, slice.scaled());
    synchronized (found) {
      found.add(part);
    }
  }

  /** Returns the elements of the selection that are defined in the collected chunks. */
  Selection of(Selection selection) {
    // A point selection remains a point selection, with its order and its repetitions.
    return selection.intersect(Selection.unionAll(found));
  }
}
