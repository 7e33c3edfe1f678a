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
 * Performs independent reads of a file that several ranks have open. Any thread may call its
 * methods, even while another thread is in a collective operation. A cached chunk is used if it is
 * unchanged since the last flush; a chunk that has been written to since then is read from the
 * file.
 *
 * <p>Before a flush replaces chunks, it waits until the reads that may access them have ended.
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

  /**
   * Runs a read. The thread first takes the ticket, which may wait for a flush, and only then
   * enters the file. If the ranks call different operations during the flush, they close the file,
   * and closing waits for all threads that have entered.
   */
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
