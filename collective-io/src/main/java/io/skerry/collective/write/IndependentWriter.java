package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ContiguousDataset;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.FileGate;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.parallel.FileOptions;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Performs independent writes to a file that several ranks have open. Any thread may call the
 * methods, even while another thread is in a collective operation. The values are written directly
 * over the stored elements, so only elements at a fixed address can be written: those of contiguous
 * datasets, and those of stored dense chunks without filters. All other writes are refused before
 * anything is written.
 *
 * <p>Unflushed elements of a collective write may be in the memory of any rank, and their flush
 * would overwrite independently written elements of the same chunk. Therefore, independent writes
 * to chunked datasets are refused while the file has any unflushed elements of collective writes.
 * They are also refused while the dataset has an unflushed extent.
 *
 * <p>Other ranks see the values after the next flush. If several ranks write to the same element at
 * the same time, the stored value is undefined, as in the nonatomic mode of MPI-IO.
 */
public final class IndependentWriter {
  private final FileContext context;
  private final FileGate gate;
  private final InPlaceWriter inPlace;
  private final ContiguousWriter contiguous;

  public IndependentWriter(FileContext context, FileGate gate, ContiguousWriter contiguous) {
    this.context = context;
    this.gate = gate;
    this.inPlace = new InPlaceWriter(context);
    this.contiguous = contiguous;
  }

  /**
   * Writes elements of stored chunks.
   *
   * @throws IllegalStateException if the elements cannot be written independently, or the file is
   *     closed
   */
  public void write(ChunkedDataset dataset, Supplier<WriteRequest> request) {
    // The thread obtains its ticket in the request order before it enters the file, since it may
    // have to wait for the ticket until a flush ends. The reverse order could deadlock: if the
    // ranks call different operations during the flush, they close the file, and closing waits for
    // all threads that have entered.
    try (var _ = dataset.chunks().requests().enterAll(Kind.WRITE)) {
      inside(() -> {
        dataset.requirePresence();
        check(dataset);
        WritePlan plan = WritePlan.of(List.of(request.get()));
        if (!context.changes().ifAllStored(() -> write(dataset, plan))) {
          throw unstored(dataset);
        }
      });
    }
  }

  private void write(ChunkedDataset dataset, WritePlan plan) {
    SortedMap<ChunkKey, InPlaceWriter.Target> targets = new TreeMap<>();
    for (Map.Entry<ChunkKey, List<Piece>> chunk : plan.chunks().entrySet()) {
      targets.put(chunk.getKey(), target(dataset, chunk.getKey(), chunk.getValue()));
    }
    store(() -> inPlace.writeAlone(targets));
  }

  private void store(Runnable write) {
    try {
      write.run();
    } finally {
      // Some values may be in the file even if the write has failed.
      context.changes().noteIndependentWrite();
    }
  }

  private void check(ChunkedDataset dataset) {
    if (dataset.format().storedAt(0).isEmpty()) {
      throw refused("to chunks whose size depends on what is in them", dataset.name());
    }
    if (context.options().overwriting() == FileOptions.Overwriting.BY_FLUSH) {
      throw refused("where the options have chunks overwritten by a flush", dataset.name());
    }
    if (!dataset.supportsInPlaceUpdate()) {
      throw unstored(dataset);
    }
  }

  private static IllegalStateException unstored(ChunkedDataset dataset) {
    return refused(
        "beside elements that were written together and are not flushed", dataset.name());
  }

  private InPlaceWriter.Target target(ChunkedDataset dataset, ChunkKey key, List<Piece> pieces) {
    String where = dataset.name() + " chunk " + key.chunk();
    if (pieces.size() != 1 || !pieces.getFirst().replacesElements()) {
      throw refused("of parts of elements", where);
    }
    ChunkRecord record =
        context
            .store()
            .record(key)
            .orElseThrow(() -> refused("to a chunk that is not stored yet", where));
    return new InPlaceWriter.Target(pieces.getFirst(), record);
  }

  /**
   * Writes elements of a contiguous dataset. The caller must prevent concurrent access to the
   * dataset on this rank.
   *
   * @throws IllegalStateException if the dataset has no allocated space yet, or the file is closed
   */
  public void write(ContiguousDataset dataset, Supplier<ContiguousDataset.Part> part) {
    inside(() -> {
      if (dataset.address().isEmpty()) {
        throw refused("to a dataset that has no space yet", dataset.name());
      }
      if (context.options().liveReaders().isPresent()) {
        throw refused("in place while other processes may follow the file", dataset.name());
      }
      store(() -> contiguous.writeAlone(dataset, part.get()));
    });
  }

  private void inside(Runnable body) {
    gate.enter();
    try {
      body.run();
    } finally {
      gate.leave();
    }
  }

  private static IllegalStateException refused(String what, String object) {
    return new IllegalStateException(
        "an independent write "
            + what
            + "; use the collective write of the dataset: call=Dataset.write object="
            + object);
  }
}
