package io.skerry.cache.request;

import io.skerry.cache.api.ChunkChange;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A change of part of one dataset.
 *
 * @param dataset the dataset
 * @param selection what is changed
 * @param changes the same by chunks, at most one for each
 * @param memory what the changes use that may belong to the calling thread alone
 */
public record ChangeRequest(
    DatasetChunks dataset,
    Selection selection,
    List<? extends ChunkChange> changes,
    List<MemorySegment> memory) {}
