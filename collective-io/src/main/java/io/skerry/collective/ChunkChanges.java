package io.skerry.collective;

import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.core.ChunkImageWriter;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.Quiescence;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.write.DirectChunkWriter;
import io.skerry.collective.write.ExtentChanger;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.parallel.Operation;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Changes of whole chunks and whole datasets, as the methods of {@link CollectiveFile} with the
 * same purpose have them. Collective but for {@link #drop}; the caller has the file for itself.
 */
final class ChunkChanges {
  private final CollectiveFile file;
  private final Engine engine;
  private final FileContext session;
  private final CollectiveFlush flush;
  private final Quiescence quiescence;

  ChunkChanges(CollectiveFile file, Engine engine) {
    this.file = file;
    this.engine = engine;
    this.session = engine.session();
    this.flush = engine.flush();
    this.quiescence = session.quiescence();
  }

  /** Writes blocks into space that nothing refers to yet. */
  void store(String subject, Supplier<List<BlockImage>> blocks) {
    LocalStatus status = new LocalStatus();
    List<BlockImage> mine = status.attempt(blocks::get, List.of());
    session.outcome().enter(Operation.WRITE, subject, "(blocks)", status);
    try {
      engine.commit().write(mine, status);
      session.changes().requireSync();
      session.changes().beginCollectiveWrite();
      session.outcome().agree(status);
    } finally {
      session.outcome().leave();
    }
  }

  /** Stores chunks of a dataset that nobody has written to. */
  void store(ChunkedDataset dataset, Supplier<Map<ChunkCoordinates, ChunkImage>> images) {
    session.changes().change(dataset);
    LocalStatus status = new LocalStatus();
    Map<ChunkCoordinates, ChunkImage> mine = status.attempt(images::get, Map.of());
    session.outcome().enter(Operation.WRITE, dataset.name(), "(new encoded chunks)", status);
    try {
      new ChunkImageWriter(session)
          .store(dataset, mine, session.space().allocator(), session.space().free(), status);
      session.changes().requireSync();
      session.changes().beginCollectiveWrite();
      session.outcome().agree(status);
    } finally {
      session.outcome().leave();
    }
  }

  /** Puts chunks in the place of stored ones. */
  void replace(ChunkedDataset dataset, Supplier<Map<ChunkCoordinates, ChunkImage>> images) {
    session.changes().change(dataset);
    try (var _ = quiescence.quiesce(RequestOrder.Kind.WRITE)) {
      new DirectChunkWriter(session, flush).replace(dataset, images);
    }
  }

  /**
   * Forgets a dataset that is to be deleted, and frees its chunks, when all ranks have agreed.
   * Local.
   */
  void drop(ChunkedDataset dataset) {
    List<ChunkRecord> records = session.directory().records(dataset);
    file.log().afterwards(() -> quiescence.withoutReads(dataset, () -> forget(dataset, records)));
  }

  private void forget(ChunkedDataset dataset, List<ChunkRecord> records) {
    // First the cache, which asks about all that it has.
    session.cache().forget(dataset.id());
    session.store().forget(dataset.id());
    session.directory().drop(dataset);
    dataset.delete();
    for (ChunkRecord record : records) {
      if (record.sections().size() > 0) {
        session
            .space()
            .free()
            .free(Use.DATA, new Block(record.address(), record.sections().size()));
      }
    }
    session.stored().keySet().removeIf(key -> key.dataset() == dataset.id());
    List.copyOf(session.ahead().all().keySet()).stream()
        .filter(key -> key.dataset() == dataset.id())
        .forEach(session.space()::release);
  }

  /** Gives a dataset another extent. */
  void reshape(ChunkedDataset dataset, long[] extent, Runnable before, Consumer<Shape> recorded) {
    // Everything is flushed before chunks are changed.
    try (var _ =
        ExtentChanger.onlyGrows(dataset, extent)
            ? quiescence.quiesce(dataset)
            : quiescence.quiesce(RequestOrder.Kind.WRITE)) {
      reshapeAlone(dataset, extent, before, recorded);
    }
  }

  private void reshapeAlone(
      ChunkedDataset dataset, long[] extent, Runnable before, Consumer<Shape> recorded) {
    ExtentChanger reshaper = engine.reshaper();
    String arguments = Arrays.toString(extent);
    boolean changesChunks =
        file.together(
            Operation.EXTEND,
            dataset.name(),
            arguments,
            () -> {
              dataset.requirePresence();
              boolean changes = ExtentChanger.changesChunks(dataset, extent);
              if (!changes) {
                recorded.accept(dataset.shape().withExtent(extent));
                afterwards(
                    dataset,
                    () -> {
                      dataset.reshape(extent);
                      session.cache().reshape(dataset.id(), dataset.shape());
                    });
              }
              return changes;
            });
    if (changesChunks) {
      Shape old = dataset.shape();
      reshaper.prepare(dataset, extent, before);
      file.together(
          Operation.EXTEND,
          dataset.name(),
          arguments,
          () -> {
            recorded.accept(old.withExtent(extent));
            afterwards(dataset, () -> reshaper.reshape(dataset, extent));
            return true;
          });
      reshaper.fill(dataset, old);
    }
  }

  /** What nobody may see before all ranks have agreed, and who reads independently not half of. */
  private void afterwards(ChunkedDataset dataset, Runnable change) {
    file.log().afterwards(() -> quiescence.withoutReads(dataset, change));
  }
}
