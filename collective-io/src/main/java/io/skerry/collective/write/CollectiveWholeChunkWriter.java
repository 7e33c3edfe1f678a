package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.WorkerPool;
import io.skerry.chunk.ChunkImage;
import io.skerry.collective.core.ChunkImageWriter;
import io.skerry.collective.core.ChunkPublication;
import io.skerry.collective.core.ChunkPublication.Placed;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.step.LocalStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Stores whole chunks in a file that several ranks have open. In each round, all ranks allocate
 * space and write collectively. While one round is written, the workers encode the chunks of the
 * next.
 */
final class CollectiveWholeChunkWriter extends WholeChunkWriter {
  CollectiveWholeChunkWriter(FileContext context) {
    super(context);
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
        context().outcome().agree(status);
      }
    } finally {
      begun.close();
    }
  }

  /**
   * Returns 0 if the image of the target is a slice of the caller's memory, otherwise the number of
   * bytes of its values.
   */
  @Override
  long memoryBytes(Target target) {
    return encoder().callersImage(target).isPresent() ? 0 : target.piece().valueBytes();
  }

  private WorkerPool.Begun<ChunkImage> begin(List<Target> targets, LocalStatus status) {
    return status.attempt(
        () -> encoder().begin(targets), context().workers().begin(List.of(), List.of()));
  }

  private static List<Target> round(List<List<Target>> rounds, int number) {
    return number < rounds.size() ? rounds.get(number) : List.of();
  }

  private void write(
      List<Target> targets, List<ChunkImage> images, Stored stored, LocalStatus status) {
    Map<ChunkKey, ChunkImage> byKey = new LinkedHashMap<>();
    for (int i = 0; i < images.size(); i++) {
      byKey.put(targets.get(i).piece().key(), images.get(i));
    }
    Placed placed =
        new ChunkPublication(context()).place(byKey, replacedBytes(targets), stored.space());
    context().meter().allocates(placed.bytes());
    stored.unused().addAll(placed.unused());
    new ChunkImageWriter(context())
        .write(placed.images(), WholeChunkEncoder.memory(targets), status);
    if (status.isGood()) {
      stored.records().putAll(placed.records());
    }
  }
}
