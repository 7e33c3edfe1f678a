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
 * Writes of one rank of several, for itself: any thread, while another may be in a collective
 * operation. They go straight to where the last flush has left the elements, so only elements that
 * have a place of fixed size can be written so: those of contiguous datasets, and of stored chunks
 * without filters. Everything else is refused, before anything is written.
 *
 * <p>Elements that were written together and are not flushed may be anywhere; what is written here
 * beside them would be lost when they are. So none of the file may be.
 *
 * <p>The other ranks see it after the next flush. Who writes to the same elements at the same time
 * gets any of the values, as in MPI.
 */
public final class IndependentWriter {
  private final FileContext session;
  private final FileGate gate;
  private final InPlaceWriter inPlace;
  private final ContiguousWriter contiguous;

  public IndependentWriter(FileContext session, FileGate gate, ContiguousWriter contiguous) {
    this.session = session;
    this.gate = gate;
    this.inPlace = new InPlaceWriter(session);
    this.contiguous = contiguous;
  }

  /**
   * Writes into chunks.
   *
   * @throws IllegalStateException if not all of them can be written so, naming the first
   */
  public void write(ChunkedDataset dataset, Supplier<WriteRequest> request) {
    // Who waits for a flush must not be inside yet: ranks that part in it close the file.
    try (var _ = dataset.chunks().requests().enterAll(Kind.WRITE)) {
      inside(() -> {
        dataset.requirePresence();
        check(dataset);
        WritePlan plan = WritePlan.of(List.of(request.get()));
        if (!session.changes().ifAllStored(() -> write(dataset, plan))) {
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
      // Even if it failed, some of it may be in the file.
      session.changes().noteIndependentWrite();
    }
  }

  private void check(ChunkedDataset dataset) {
    if (dataset.format().storedAt(0).isEmpty()) {
      throw refused("to chunks whose size depends on what is in them", dataset.name());
    }
    if (session.options().overwriting() == FileOptions.Overwriting.BY_FLUSH) {
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
        session
            .store()
            .record(key)
            .orElseThrow(() -> refused("to a chunk that is not stored yet", where));
    return new InPlaceWriter.Target(pieces.getFirst(), record);
  }

  /**
   * Writes into a dataset that stands in one block, for a caller that keeps others of this rank
   * from it.
   *
   * @throws IllegalStateException if it has no block yet
   */
  public void write(ContiguousDataset dataset, Supplier<ContiguousDataset.Part> part) {
    inside(() -> {
      if (dataset.address().isEmpty()) {
        throw refused("to a dataset that has no space yet", dataset.name());
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
            + "; ask the dataset itself, whose write is collective: call=Dataset.write object="
            + object);
  }
}
