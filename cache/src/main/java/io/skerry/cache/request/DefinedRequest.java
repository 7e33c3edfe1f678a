package io.skerry.cache.request;

import io.skerry.cache.table.DatasetChunks;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.selection.Selection;
import java.util.List;
import java.util.function.Supplier;

/**
 * A question which elements of one dataset are defined.
 *
 * @param dataset the dataset
 * @param selection which elements
 * @param slices cuts it into chunks, in row-major order; asked again when the request has waited
 *     for others, since chunks may have come meanwhile. Chunks in which nothing is defined may be
 *     missing
 * @param found is given the defined elements of each slice, by workers and in any order
 */
public record DefinedRequest(
    DatasetChunks dataset, Selection selection, Supplier<List<ChunkSlice>> slices, Found found) {

  /** What takes the answer for one chunk. */
  @FunctionalInterface
  public interface Found {
    /** The defined ones among the elements of a slice, by index in the chunk. */
    void take(ChunkSlice slice, RunSet defined);
  }
}
