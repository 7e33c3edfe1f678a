package io.skerry.collective.read;

import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.chunk.content.PackedContent;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.step.FileGate;
import io.skerry.selection.Selection;
import java.util.function.Supplier;

/**
 * Reads of one rank of several, for itself: any thread, while another may be in a collective
 * operation. They take from the cache what is as the last flush has stored it; a chunk that has
 * been written to since is read from the file.
 *
 * <p>A flush lets them end before it replaces anything that they may be reading.
 */
public final class IndependentReader implements ElementReads {
  private final FileGate gate;
  private final SingleRankReader reader;

  public IndependentReader(FileGate gate, SingleRankReader reader) {
    this.gate = gate;
    this.reader = reader;
  }

  @Override
  public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
    var unused =
        inside(
            dataset,
            selection,
            () -> {
              reader.readStored(dataset, selection, target);
              return true;
            });
  }

  @Override
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    return inside(dataset, selection, () -> reader.readStoredContent(dataset, selection));
  }

  @Override
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    return inside(dataset, selection, () -> reader.storedDefined(dataset, selection));
  }

  /** Who waits for a flush must not be inside yet: ranks that part in it close the file. */
  private <T> T inside(ChunkedDataset dataset, Selection selection, Supplier<T> body) {
    try (var _ = dataset.chunks().requests().enter(selection, Kind.READ)) {
      gate.enter();
      try {
        return body.get();
      } finally {
        gate.leave();
      }
    }
  }
}
