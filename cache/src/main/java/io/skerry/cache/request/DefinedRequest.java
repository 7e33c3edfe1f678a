package io.skerry.cache.request;

import io.skerry.cache.table.DatasetChunks;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.selection.Selection;
import java.util.List;
import java.util.function.Supplier;

/**
 * A request for the defined elements of one dataset.
 *
 * @param dataset the dataset
 * @param selection the elements
 * @param slices supplier of the selection, divided into one slice for each chunk, in row-major
 *     order; called a second time if the request needs a ticket, since new chunks may exist by
 *     then; may omit chunks without defined elements
 * @param found the receiver of the defined elements of each slice; called by the calling thread and
 *     concurrently by workers, in any order
 */
public record DefinedRequest(
    DatasetChunks dataset, Selection selection, Supplier<List<ChunkSlice>> slices, Found found) {

  /** Receives the result for one chunk. */
  @FunctionalInterface
  public interface Found {
    /** Receives the defined elements of a slice, by index in the chunk. */
    void take(ChunkSlice slice, RunSet defined);
  }
}
