package io.skerry.collective.write;

import io.skerry.cache.api.WorkerPool;
import io.skerry.chunk.ChunkImage;
import io.skerry.collective.core.ChunkImageWriter;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.index.api.ChunkRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Stores whole chunks of several ranks: each round is one collective vector write. While one round
 * is written, the workers encode the next.
 */
final class CollectiveWholeChunkWriter extends WholeChunkWriter {
  CollectiveWholeChunkWriter(FileContext session) {
    super(session);
  }

  @Override
  void writeRounds(List<List<Target>> rounds, long agreed, Stored stored, LocalStatus status) {
    WorkerPool.Begun<ChunkImage> begun = begin(round(rounds, 0), status);
    try {
      for (int round = 0; round < agreed; round++) {
        List<ChunkImage> images = status.attempt(begun::results, List.of());
        begun.close();
        begun = begin(round(rounds, round + 1), status);
        write(round(rounds, round), images, stored, status);
        session().outcome().agree(status);
      }
    } finally {
      begun.close();
    }
  }

  /** A target takes no memory if it is written from the memory of the caller. */
  @Override
  long memoryBytes(Target target) {
    return callersImage(target).isPresent() ? 0 : target.piece().valueBytes();
  }

  private WorkerPool.Begun<ChunkImage> begin(List<Target> targets, LocalStatus status) {
    return status.attempt(() -> encoding(targets), session().workers().begin(List.of(), List.of()));
  }

  private static List<Target> round(List<List<Target>> rounds, int number) {
    return number < rounds.size() ? rounds.get(number) : List.of();
  }

  private void write(
      List<Target> targets, List<ChunkImage> images, Stored stored, LocalStatus status) {
    long[] sizes = images.stream().mapToLong(image -> image.bytes().byteSize()).toArray();
    long[] addresses = place(targets, sizes, stored);
    TreeMap<Long, ChunkImage> byAddress = new TreeMap<>();
    List<ChunkRecord> records = new ArrayList<>();
    for (int i = 0; i < images.size(); i++) {
      byAddress.put(addresses[i], images.get(i));
      records.add(new ChunkRecord(addresses[i], images.get(i).sections()));
    }
    new ChunkImageWriter(session()).write(byAddress, memory(targets), status);
    if (status.isGood()) {
      note(targets, records, stored);
    }
  }
}
