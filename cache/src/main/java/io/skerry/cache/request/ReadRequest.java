package io.skerry.cache.request;

import io.skerry.cache.api.SliceReader;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A request to read part of one dataset.
 *
 * @param dataset the dataset
 * @param selection the elements to read
 * @param slices the selection, divided into one slice for each chunk, in row-major order
 * @param reader the reader that reads the elements of each slice
 * @param memory memory that the reader uses and that may be confined to the calling thread
 */
public record ReadRequest(
    DatasetChunks dataset,
    Selection selection,
    List<ChunkSlice> slices,
    SliceReader reader,
    List<MemorySegment> memory) {}
