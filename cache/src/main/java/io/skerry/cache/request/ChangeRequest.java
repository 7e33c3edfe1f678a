package io.skerry.cache.request;

import io.skerry.cache.api.ChunkChange;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A request to change part of one dataset.
 *
 * @param dataset the dataset
 * @param selection the elements to change
 * @param changes the changes to the chunks, at most one for each chunk
 * @param memory memory that the changes use and that may be confined to the calling thread
 */
public record ChangeRequest(
    DatasetChunks dataset,
    Selection selection,
    List<? extends ChunkChange> changes,
    List<MemorySegment> memory) {}
