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
 * Chunks under an implicit index, which cannot move: what a flush changes of them is replaced where
 * it stands, by way of the journal like metadata, so that a kill leaves the old state or the new.
 */
final class ImplicitChunks {
  private final FileContext session;

  ImplicitChunks(FileContext session) {
    this.session = session;
  }

  /**
   * Adds the blocks that put changed chunks in their places. Local.
   *
   * @param changed this rank's images, of datasets whose index is implicit
   * @param indexes those of the commit
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
   * Fills the space of datasets that had none with their fill value; each rank its share, a part at
   * a time. Collective if there is any such dataset, which all ranks know.
   *
   * @param indexes those of the commit, the same on all ranks
   */
  void fillNew(Map<Long, ChunkIndex> indexes, LocalStatus status) {
    boolean any = false;
    for (Map.Entry<Long, ChunkIndex> entry : new TreeMap<>(indexes).entrySet()) {
      ChunkedDataset dataset = session.directory().dataset(entry.getKey());
      if (entry.getValue() instanceof ImplicitIndex after
          && !dataset.index().layout().index().isAllocated()
          && after.layout().index().isAllocated()) {
        fill(dataset, after, status);
        any = true;
      }
    }
    if (any) {
      // What follows writes over parts of it, from other ranks.
      session.file().sync(status);
      session.outcome().agree(status);
    }
  }

  private void fill(ChunkedDataset dataset, ImplicitIndex index, LocalStatus status) {
    int ranks = session.ranks().size();
    long bytes = index.layout().chunkBytes();
    long perRound = Math.max(1, session.options().roundLimit() / bytes);
    long mostShare = Math.ceilDiv(index.count(), ranks);
    long first = Math.min(index.count(), session.ranks().rank() * mostShare);
    long end = Math.min(index.count(), first + mostShare);
    try (Leases leases = new Leases(session.pool())) {
      long least = Math.min(perRound, end - first);
      MemorySegment slab =
          status.attempt(() -> filled(dataset, leases, least, bytes), MemorySegment.NULL);
      for (long done = 0; done < mostShare; done += perRound) {
        long from = Math.min(end, first + done);
        long count = Math.min(perRound, end - from);
        FileView.Builder view = FileView.builder();
        if (count > 0 && status.isGood()) {
          view.add(index.chunk(from).orElseThrow().address(), count * bytes);
        }
        session.file().writeAll(status, view.build(), slab);
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
