package io.skerry.internal.copy.element;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.internal.dataset.open.ChunkedOpener;
import io.skerry.parallel.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Copies stored chunks without decoding them. Every rank reads the entire index, keeps the records
 * of its share of the chunks, and copies these chunks. Collective.
 */
final class StoredChunks {
  /** The maximum number of chunks that all ranks together copy in one round. */
  private static final int MOST_CHUNKS = 1 << 14;

  private final CopiedDataset work;
  private final CollectiveFile file;
  private final ChunkedDataset copy;
  private final CopyProgress progress;
  private final ByteSource source;

  /** The rounds into which the chunks have been divided so far. */
  private final List<Round> rounds = new ArrayList<>();

  private final long[] load;
  private Map<ChunkCoordinates, ChunkRecord> mine = new TreeMap<>();
  private int chunks;

  /**
   * The chunks that are copied together.
   *
   * @param mine the chunks that this rank copies
   * @param bytes the number of bytes that all ranks copy
   */
  private record Round(Map<ChunkCoordinates, ChunkRecord> mine, long bytes) {}

  StoredChunks(
      CopiedDataset work, CollectiveFile file, ChunkedDataset copy, CopyProgress progress) {
    this.work = work;
    this.file = file;
    this.copy = copy;
    this.progress = progress;
    this.source = work.from().file().tree().source();
    this.load = new long[file.ranks().size()];
  }

  void copy() {
    // Before the ranks store chunks together, they agree that all of them have read the index: a
    // rank that failed between two rounds would leave the others waiting for it.
    List<Round> divided =
        file.steps().together(Operation.COPY, work.path(), "", this::divided, all -> all);
    divided.forEach(this::store);
  }

  /** Reads the index and divides the chunks into rounds. Local. */
  private List<Round> divided() {
    work.dataset().requirePresence();
    ChunkedDataset old =
        ChunkedOpener.unshared(
            work.from().file(), work.dataset().location(), work.dataset().header());
    old.index()
        .forEachRecord(
            source,
            (scaled, record) -> {
              ChunkCoordinates chunk = ChunkCoordinates.of(scaled);
              if (old.isInside(chunk)) {
                deal(chunk, record);
              }
            });
    if (chunks > 0) {
      endRound();
    }
    return rounds;
  }

  /**
   * Assigns a chunk to the rank with the fewest bytes in this round; if several ranks have equally
   * few bytes, to the lowest-numbered of them. The result is the same on all ranks.
   */
  private void deal(ChunkCoordinates chunk, ChunkRecord record) {
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
      endRound();
    }
  }

  private void endRound() {
    rounds.add(new Round(mine, Arrays.stream(load).sum()));
    Arrays.fill(load, 0);
    mine = new TreeMap<>();
    chunks = 0;
  }

  private void store(Round round) {
    file.chunks()
        .storeChunks(
            copy,
            () -> {
              progress.requireWatched();
              // The watcher of the copy may have deleted the dataset.
              work.dataset().requirePresence();
              Map<ChunkCoordinates, ChunkImage> images = new HashMap<>();
              round.mine.forEach((chunk, record) ->
                  images.put(
                      chunk,
                      new ChunkImage(
                          source.read(record.address(), record.sections().checked().size()),
                          record.sections())));
              return images;
            });
    progress.advance(round.bytes);
  }
}
