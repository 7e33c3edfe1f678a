package io.skerry.collective;

import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.FileGate;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import java.util.List;

/** The chunked datasets that are registered on this rank; only these can be read and written. */
public final class DatasetRegistry {
  private final FileGate gate;
  private final FileSteps steps;
  private final FileContext context;

  DatasetRegistry(FileGate gate, FileSteps steps, FileContext context) {
    this.gate = gate;
    this.steps = steps;
    this.context = context;
  }

  /**
   * Registers a dataset on this rank. All ranks must register the same datasets in the same order.
   * Local.
   */
  public void register(ChunkedDataset dataset) {
    gate.exclusively(() -> {
      context.directory().register(dataset);
      dataset.cacheIn(context.cache());
    });
    steps
        .log()
        .note(() -> {
          context.chunks().forget(dataset.id());
          context.directory().drop(dataset);
        });
  }

  /**
   * Removes a deleted dataset, discards its unflushed changes and frees its chunks once the current
   * step has succeeded on all ranks. The caller frees the index and the object header. Local,
   * within a step of all ranks.
   */
  public void drop(ChunkedDataset dataset) {
    gate.exclusively(() -> steps.holdingSpace(() -> dropInside(dataset)));
  }

  private void dropInside(ChunkedDataset dataset) {
    List<ChunkRecord> records = context.directory().records(dataset);
    steps
        .log()
        .afterwards(
            () -> context.quiescence().withoutReads(dataset, () -> forget(dataset, records)));
  }

  private void forget(ChunkedDataset dataset, List<ChunkRecord> records) {
    // The dataset is removed from the cache first, since the cache accesses the store and the
    // directory for its chunks.
    context.chunks().forget(dataset.id());
    context.store().forget(dataset.id());
    context.directory().drop(dataset);
    dataset.delete();
    for (ChunkRecord record : records) {
      if (record.sections().size() > 0) {
        context
            .space()
            .free()
            .free(Use.DATA, new Block(record.address(), record.sections().size()));
      }
    }
    context.previous().keySet().removeIf(key -> key.dataset() == dataset.id());
    List.copyOf(context.unpublished().all().keySet()).stream()
        .filter(key -> key.dataset() == dataset.id())
        .forEach(context.space()::release);
  }
}
