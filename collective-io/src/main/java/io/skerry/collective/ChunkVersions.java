package io.skerry.collective;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.block.ByteSource;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/** Gives access to the stored and the unstored versions of chunks. */
public final class ChunkVersions {
  private final FileContext context;
  private final ByteSource source;

  ChunkVersions(FileContext context, ByteSource source) {
    this.context = context;
    this.source = source;
  }

  /**
   * Visits chunks of a dataset: the stored chunks whose index owner is this rank, and the unstored
   * versions in the memory of this rank. Together, the ranks visit each stored chunk for which an
   * index owner has a record, and each unstored version. They do not visit a version that has been
   * stored since the last flush and whose record has not been sent to the index owner yet. Local.
   */
  public void forEach(ChunkedDataset dataset, BiConsumer<ChunkCoordinates, MemoryChunk> visitor) {
    for (ChunkCoordinates point : context.directory().chunks(dataset)) {
      context
          .directory()
          .record(new ChunkKey(dataset.id(), point))
          .filter(record -> record.sections().size() > 0)
          .ifPresent(record -> {
            MemorySegment bytes = source.read(record.address(), record.sections().size());
            ChunkImage image = new ChunkImage(bytes, record.sections().checked());
            visitor.accept(point, dataset.format(point).decode(image));
          });
    }
    context
        .chunks()
        .unstored()
        .forEach((key, chunk) -> {
          if (key.dataset() == dataset.id()) {
            visitor.accept(key.chunk(), chunk);
          }
        });
  }
}
