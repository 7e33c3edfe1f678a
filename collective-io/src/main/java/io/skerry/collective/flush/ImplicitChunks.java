package io.skerry.collective.flush;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.Leases;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.index.ImplicitIndex;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.file.FileView;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stores the chunks of implicit indexes, which have fixed addresses. A flush replaces changed
 * chunks in place through the journal, like metadata. If the process is killed, the file has either
 * the old or the new state.
 */
final class ImplicitChunks {
  private final FileContext context;

  ImplicitChunks(FileContext context) {
    this.context = context;
  }

  /**
   * Adds the blocks that replace changed chunks. Local.
   *
   * @param changed the images of this rank; images of datasets with another kind of index are
   *     ignored
   * @param indexes the chunk indexes of the commit, by dataset
   * @param mine the list to which the blocks are added
   */
  void place(
      Map<ChunkKey, ChunkImage> changed, Map<Long, ChunkIndex> indexes, List<BlockImage> mine) {
    changed.forEach((key, image) -> {
      if (indexes.get(key.dataset()) instanceof ImplicitIndex index) {
        long[] scaled = key.chunk().scaled();
        ChunkRecord record = index.chunk(index.position(scaled)).orElseThrow();
        mine.add(new BlockImage(record.address(), BlockKind.CHUNK, image.bytes()));
      }
    });
  }

  /**
   * Writes the fill value to the new space of datasets that had no space before. Each rank fills
   * its share, in rounds. Collective if there is such a dataset, a condition that has the same
   * result on all ranks.
   *
   * @param indexes the chunk indexes of the commit, by dataset; equal on all ranks
   */
  void fillNew(Map<Long, ChunkIndex> indexes, LocalStatus status) {
    boolean any = false;
    for (Map.Entry<Long, ChunkIndex> entry : new TreeMap<>(indexes).entrySet()) {
      ChunkedDataset dataset = context.directory().dataset(entry.getKey());
      if (entry.getValue() instanceof ImplicitIndex after
          && !dataset.index().layout().index().isAllocated()
          && after.layout().index().isAllocated()) {
        fill(dataset, after, status);
        any = true;
      }
    }
    if (any) {
      // Other ranks overwrite parts of the space in later stages of the flush, so the fill
      // values are synced first.
      context.file().sync(status);
      context.outcome().agree(status);
    }
  }

  private void fill(ChunkedDataset dataset, ImplicitIndex index, LocalStatus status) {
    int ranks = context.ranks().size();
    long bytes = index.layout().chunkBytes();
    long perRound = Math.max(1, context.options().roundLimit() / bytes);
    long mostShare = Math.ceilDiv(index.count(), ranks);
    long first = Math.min(index.count(), context.ranks().rank() * mostShare);
    long end = Math.min(index.count(), first + mostShare);
    // The round limits of the ranks may differ, so the ranks agree on the number of rounds.
    long needed = Math.ceilDiv(mostShare, perRound);
    long rounds = context.outcome().agree(status, needed)[0];
    try (Leases leases = new Leases(context.pool())) {
      long least = Math.min(perRound, end - first);
      MemorySegment slab =
          status.attempt(() -> filled(dataset, leases, least, bytes), MemorySegment.NULL);
      for (long round = 0; round < rounds; round++) {
        long from = round < needed ? Math.min(end, first + round * perRound) : end;
        long count = Math.min(perRound, end - from);
        FileView.Builder view = FileView.builder();
        if (count > 0 && status.isGood()) {
          view.add(index.chunk(from).orElseThrow().address(), count * bytes);
        }
        context.file().writeAll(status, view.build(), slab);
      }
    }
  }

  private static MemorySegment filled(
      ChunkedDataset dataset, Leases leases, long chunks, long bytes) {
    MemorySegment slab = leases.take(chunks * bytes);
    MemorySegment image =
        dataset.format().encode(dataset.format().newChunk()).orElseThrow().bytes();
    for (long i = 0; i < chunks; i++) {
      MemorySegment.copy(image, 0, slab, i * bytes, bytes);
    }
    return slab;
  }
}
