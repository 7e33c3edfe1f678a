package io.skerry.cache.request;

import io.skerry.cache.api.SliceReader;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A read of part of one dataset.
 *
 * @param dataset the dataset
 * @param selection what is read
 * @param slices the same cut into chunks, in row-major order
 * @param reader what is done with each chunk
 * @param memory what the reader uses that may belong to the calling thread alone
 */
public record ReadRequest(
    DatasetChunks dataset,
    Selection selection,
    List<ChunkSlice> slices,
    SliceReader reader,
    List<MemorySegment> memory) {}
