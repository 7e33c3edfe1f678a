package io.skerry.internal.copy.element;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.internal.dataset.open.ChunkedOpener;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * Copies stored chunks without decoding them. Every rank reads the entire index and copies its
 * share of the chunks. Collective.
 */
final class StoredChunks {
  /** The maximum number of chunks that all ranks together copy in one round. */
  private static final int MOST_CHUNKS = 1 << 14;

  private final CopiedDataset work;
  private final CollectiveFile file;
  private final ChunkedDataset copy;
  private final LongConsumer progress;
  private final Map<ChunkCoordinates, ChunkRecord> mine = new TreeMap<>();
  private final long[] load;
  private int chunks;

  StoredChunks(
      CopiedDataset work, CollectiveFile file, ChunkedDataset copy, LongConsumer progress) {
    this.work = work;
    this.file = file;
    this.copy = copy;
    this.progress = progress;
    this.load = new long[file.ranks().size()];
  }

  void copy() {
    ByteSource source = work.from().file().tree().source();
    ChunkedDataset old =
        ChunkedOpener.unshared(
            work.from().file(), work.dataset().location(), work.dataset().header());
    old.index()
        .forEachRecord(
            source,
            (scaled, record) -> {
              ChunkCoordinates chunk = ChunkCoordinates.of(scaled);
              if (old.isInside(chunk)) {
                deal(chunk, record, source);
              }
            });
    if (chunks > 0) {
      round(source);
    }
  }

  /**
   * Assigns a chunk to the rank with the fewest bytes in this round; if several ranks have equally
   * few bytes, to the lowest-numbered of them. The result is the same on all ranks.
   */
  private void deal(ChunkCoordinates chunk, ChunkRecord record, ByteSource source) {
    int rank = 0;
    for (int other = 1; other < load.length; other++) {
      rank = load[other] < load[rank] ? other : rank;
    }
    load[rank] += record.sections().size();
    if (rank == file.ranks().rank()) {
      mine.put(chunk, record);
    }
    chunks++;
    if (load[rank] >= CopyRounds.PART || chunks == MOST_CHUNKS) {
      round(source);
    }
  }

  private void round(ByteSource source) {
    file.chunks()
        .storeChunks(
            copy,
            () -> {
              Map<ChunkCoordinates, ChunkImage> images = new HashMap<>();
              mine.forEach((chunk, record) ->
                  images.put(
                      chunk,
                      new ChunkImage(
                          source.read(record.address(), record.sections().checked().size()),
                          record.sections())));
              return images;
            });
    long bytes = 0;
    for (int rank = 0; rank < load.length; rank++) {
      bytes += load[rank];
      load[rank] = 0;
    }
    progress.accept(bytes);
    mine.clear();
    chunks = 0;
  }
}
