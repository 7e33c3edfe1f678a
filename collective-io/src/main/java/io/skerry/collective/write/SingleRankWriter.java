package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.request.ChangeRequest;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.cache.scheduling.RequestOrder.Ticket;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.PresentChunks;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes and erases elements, through the cache, in a file that a single rank has open.
 * Thread-safe. No chunk owners are chosen; otherwise the steps are those of {@link
 * CollectiveWriter}: pieces are merged into new versions of chunks, whole chunks of a large write
 * are written to free space immediately, and stored chunks of fixed size may be overwritten in
 * place. A chunk that is in memory and is only partly overwritten is not written in place.
 */
public final class SingleRankWriter {
  private final FileContext context;
  private final FileGate gate;
  private final InPlaceWriter inPlace;
  private final SingleRankWholeChunkWriter whole;
  private final EncodingLimit encodingLimit;

  public SingleRankWriter(FileContext context, FileGate gate) {
    this.context = context;
    this.gate = gate;
    this.inPlace = new InPlaceWriter(context);
    this.whole = new SingleRankWholeChunkWriter(context);
    this.encodingLimit = new EncodingLimit(context);
  }

  /** The kind of access to the file that a write requires. */
  private enum Way {
    /** The write may run at the same time as others. */
    BESIDE_OTHERS,
    /** The write needs exclusive access to the file. */
    ALONE
  }

  /**
   * Applies requests.
   *
   * @throws IllegalStateException if the file is closed
   */
  public void write(Operation operation, String subject, List<WriteRequest> requests) {
    switch (way(requests)) {
      case ALONE ->
          gate.exclusively(() -> {
            LocalStatus status = new LocalStatus();
            context.outcome().enter(operation, subject, "(chunks)", status);
            try {
              write(requests, Way.ALONE);
            } finally {
              context.outcome().leave();
            }
          });
      case BESIDE_OTHERS -> {
        gate.enter();
        try {
          write(requests, Way.BESIDE_OTHERS);
        } finally {
          gate.leave();
        }
      }
    }
  }

  /**
   * Returns the kind of access that a write requires. Exclusive access is required to write
   * elements that refer to content in the global heap, since such a write changes the state of the
   * whole file, and for a large write, since it may store whole chunks directly.
   */
  private Way way(List<WriteRequest> requests) {
    long bytes = 0;
    for (WriteRequest request : requests) {
      if (request.dataset().overwritten().isPresent()) {
        return Way.ALONE;
      }
      if (request.change() instanceof WriteRequest.Values(MemorySegment packed, _)) {
        bytes += packed.byteSize();
      }
    }
    return bytes >= context.options().aheadLimit() ? Way.ALONE : Way.BESIDE_OTHERS;
  }

  private void write(List<WriteRequest> requests, Way way) {
    List<Ticket> tickets = new ArrayList<>();
    try {
      for (Map.Entry<ChunkedDataset, Optional<Selection>> part : touched(requests).entrySet()) {
        var order = part.getKey().chunks().requests();
        tickets.add(
            part.getValue().isPresent()
                ? order.enter(part.getValue().get(), Kind.WRITE)
                : order.enterAll(Kind.WRITE));
      }
      apply(requests, way);
    } finally {
      tickets.reversed().forEach(Ticket::close);
    }
  }

  /**
   * Returns the datasets in the order of their addresses, each with the selection to lock. An empty
   * {@code Optional} denotes the whole dataset. It is used if several requests refer to the
   * dataset, or if its chunks may be overwritten in place, since no two threads may overwrite the
   * same chunk in place at the same time.
   */
  private SortedMap<ChunkedDataset, Optional<Selection>> touched(List<WriteRequest> requests) {
    SortedMap<ChunkedDataset, Optional<Selection>> touched =
        new TreeMap<>((a, b) -> Long.compareUnsigned(a.id(), b.id()));
    for (WriteRequest request : requests) {
      boolean alone = touched.containsKey(request.dataset()) || inPlace.mayWrite(request.dataset());
      touched.put(request.dataset(), alone ? Optional.empty() : Optional.of(request.selection()));
    }
    return touched;
  }

  /**
   * Applies requests for a caller that excludes all other threads from the requested datasets and
   * holds the gate of the file.
   */
  public void apply(List<WriteRequest> requests) {
    apply(requests, Way.ALONE);
  }

  private void apply(List<WriteRequest> requests, Way way) {
    requests.forEach(request -> context.changes().change(request.dataset()));
    WritePlan plan = WritePlan.of(new PresentChunks(context).narrowed(requests));
    SortedMap<ChunkKey, Assignment> work = mayGoPast(requests, way) ? work(plan) : new TreeMap<>();
    SortedMap<ChunkKey, InPlaceWriter.Target> direct = inPlace.choose(plan, work);
    direct.values().removeIf(target -> isHeldInPart(target.piece()));
    work.keySet().removeAll(direct.keySet());
    SortedMap<ChunkKey, WholeChunkWriter.Target> wholes =
        way == Way.ALONE ? whole.choose(plan, work) : new TreeMap<>();
    WritePlan rest = plan.without(direct.keySet()).without(wholes.keySet());
    encodingLimit.requireEach(rest.chunks().keySet());
    Runnable others = () -> writeOthers(requests, direct, rest);
    if (wholes.isEmpty()) {
      others.run();
    } else {
      writeWhole(wholes, others);
    }
  }

  /**
   * Stores whole chunks, and publishes them after the rest of the write. If the whole chunks cannot
   * be stored, or if the rest of the write fails, none of them is published.
   *
   * @param others the rest of the write
   */
  private void writeWhole(SortedMap<ChunkKey, WholeChunkWriter.Target> wholes, Runnable others) {
    WholeChunkWriter.Stored stored;
    // The space is allocated in several steps, and no other thread may allocate space between them.
    try (var _ = context.cache().holdStores()) {
      stored = whole.write(wholes, new LocalStatus());
      whole.take(stored);
    }
    boolean done = false;
    try {
      others.run();
      done = true;
    } finally {
      try (var _ = context.cache().holdStores()) {
        if (done) {
          whole.publish(stored, wholes);
        } else {
          whole.giveBack(stored);
        }
      }
    }
    context.changes().requireSync();
  }

  private void writeOthers(
      List<WriteRequest> requests,
      SortedMap<ChunkKey, InPlaceWriter.Target> direct,
      WritePlan rest) {
    // The new versions of chunks in memory are computed first, so that a thread that is interrupted
    // while it waits for memory has not overwritten anything in the file. They are published last,
    // so that the chunks in memory stay unchanged if a chunk cannot be written in place.
    change(
        rest,
        () -> {
          requests.forEach(request -> request.publication().run());
          writeInPlace(direct);
        });
  }

  private void writeInPlace(SortedMap<ChunkKey, InPlaceWriter.Target> direct) {
    if (!direct.isEmpty()) {
      // Even if the write fails, pieces may be in the file.
      context.changes().requireSync();
      inPlace.writeAlone(direct);
    }
  }

  /**
   * Returns whether a piece changes a part of a chunk in memory. Such a piece is not written in
   * place. Otherwise the copy in memory would have to be dropped, and a program that alternately
   * reads and writes parts of the chunk would load it again for every read.
   */
  private boolean isHeldInPart(Piece piece) {
    return !piece.slice().coversWholeChunk() && context.chunks().find(piece.key()).isPresent();
  }

  /** Returns whether any chunk may bypass the cache; the write then needs the chunk records. */
  private boolean mayGoPast(List<WriteRequest> requests, Way way) {
    return way == Way.ALONE
        || requests.stream().anyMatch(request -> inPlace.mayWrite(request.dataset()));
  }

  private SortedMap<ChunkKey, Assignment> work(WritePlan plan) {
    List<Assignment.Writer> here = List.of(new Assignment.Writer(context.ranks().rank(), 0));
    SortedMap<ChunkKey, Assignment> work = new TreeMap<>();
    for (ChunkKey key : plan.chunks().keySet()) {
      work.put(key, new Assignment(key, context.directory().record(key), here));
    }
    return work;
  }

  private void change(WritePlan plan, Runnable beforePublication) {
    SortedMap<Long, List<SingleRankChange>> byDataset = new TreeMap<>(Long::compareUnsigned);
    List<SingleRankChange> all = new ArrayList<>();
    for (Map.Entry<ChunkKey, List<Piece>> chunk : plan.chunks().entrySet()) {
      ChunkKey key = chunk.getKey();
      ChunkedDataset dataset = context.directory().dataset(key.dataset());
      SingleRankChange change = new SingleRankChange(dataset, key, chunk.getValue());
      byDataset.computeIfAbsent(dataset.id(), _ -> new ArrayList<>()).add(change);
      all.add(change);
    }
    List<ChangeRequest> requests = new ArrayList<>();
    byDataset.forEach((id, changes) -> {
      // Chunks are removed last. Removals read nothing, so if the cache executes a change of the
      // extent in parts, a part that fails to read a chunk fails before any chunk is removed.
      changes.sort(Comparator.comparing(SingleRankChange::isRemoval));
      DatasetChunks chunks = context.directory().dataset(id).chunks();
      List<MemorySegment> memory = new ArrayList<>();
      changes.forEach(change -> memory.addAll(change.memory()));
      requests.add(new ChangeRequest(chunks, Selection.all(), changes, memory));
    });
    cache().writeHolding(requests, beforePublication);
    all.forEach(SingleRankChange::release);
  }

  private ChunkCache cache() {
    return context.cache();
  }

  /** Returns whether the unstored chunks of all datasets exceed the limit on unstored bytes. */
  public boolean mustFlush() {
    return context.chunks().unstoredBytes() > context.unstoredLimit();
  }
}
