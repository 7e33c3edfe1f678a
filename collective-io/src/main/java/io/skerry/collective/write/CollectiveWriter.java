package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.plan.PieceCodec;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.collective.write.WriteDistributor.Breadth;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport.Departure;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Writes and erases elements in one collective operation. The result is a set of dirty chunks, each
 * in the memory of one rank; {@link CollectiveFlush} stores them later. The steps are:
 *
 * <ol>
 *   <li>Each rank cuts its requests into pieces.
 *   <li>The index owners of the touched chunks choose the owners, and the owners plan rounds.
 *   <li>In each round, ranks send pieces to the owners. An owner reads a stored chunk if the chunk
 *       is not in memory and its old elements are needed, and merges the pieces in rank order, so
 *       that the highest rank wins where pieces overlap.
 *   <li>All ranks agree, and only then publish the new versions.
 * </ol>
 *
 * <p>Two kinds of chunks bypass the exchange and the cache if a single rank writes to them: whole
 * chunks, if their total size is large enough, are written to free space (see {@link
 * WholeChunkWriter}), and stored chunks of fixed size may be overwritten in place (see {@link
 * InPlaceWriter}).
 */
public final class CollectiveWriter {
  private final FileContext context;
  private final CollectiveFlush flush;
  private final ChunkMerger merger;
  private final PieceExchange pieces;
  private final InPlaceWriter inPlace;
  private final WholeChunkWriter whole;
  private final WriteDistributor distributor;

  public CollectiveWriter(FileContext context, CollectiveFlush flush, ChunkImageReader images) {
    this.context = context;
    this.flush = flush;
    this.merger = new ChunkMerger(context, images);
    this.pieces = new PieceExchange(context);
    this.inPlace = new InPlaceWriter(context);
    this.whole = new CollectiveWholeChunkWriter(context);
    this.distributor = new WriteDistributor(context, inPlace, whole);
  }

  /**
   * Applies the requests of all ranks. Collective.
   *
   * @throws CollectiveException on all ranks if at least one of them failed; in this case, no
   *     elements have changed, except that pieces that are written in place may already be in the
   *     file
   */
  public void write(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    LocalStatus status = new LocalStatus();
    List<WriteRequest> given = status.attempt(() -> present(requests.get()), List.of());
    boolean wide = status.attempt(() -> WideErasures.isAny(given), false);
    WritePlan planned =
        wide ? WritePlan.empty() : status.attempt(() -> WritePlan.of(given), WritePlan.empty());
    context.outcome().enter(operation, subject, arguments(operation, given), status);
    context.meter().begin(operation, subject);
    context.changes().beginCollectiveWrite();
    Optional<ChunkCache.Quiesced> quiet = Optional.empty();
    try {
      WritePlan plan = planned;
      WriteDistribution agreed =
          distributor.distribute(plan, wide ? Breadth.WIDE : Breadth.KNOWN, status);
      if (agreed.anyWide()) {
        flushFirst(given, status);
        WritePlan erased = new WideErasures(context).plan(wide ? given : List.of(), status);
        plan = wide ? erased : planned;
        agreed = distributor.distribute(plan, Breadth.KNOWN, status);
      }
      if (agreed.overLimit() && flush.anyDirty()) {
        flushFirst(given, status);
        agreed = distributor.distribute(plan, Breadth.KNOWN, status);
      }
      agreed.count(context.meter());
      MergedChunks merged = applyRounds(agreed.rest(plan), agreed, status);
      // Independent reads on this rank see either all of this write or none of it, even where
      // it writes in place.
      WriteDistribution distribution = agreed;
      Set<ChunkedDataset> changed =
          status.attempt(() -> changed(given, distribution, merged), Set.of());
      quiet = context.quiescence().quiesceReads(changed, status);
      // The listeners may read the file, so they are called before the ranks agree.
      List<Runnable> releases =
          status.attempt(
              () -> merged.overwritten.stream().map(ChunkMerger.Overwritten::release).toList(),
              List.of());
      context.outcome().agree(status);
      given.forEach(request -> request.publication().run());
      Optional<WholeChunkWriter.Stored> stored =
          agreed.anyWhole() ? Optional.of(whole.write(agreed.whole(), status)) : Optional.empty();
      if (agreed.anyInPlace()) {
        // Even if the write fails on one rank, pieces of other ranks may be in the file.
        context.changes().requireSync();
        inPlace.write(agreed.inPlace(), changed, status);
      }
      publish(merged, agreed);
      releases.forEach(Runnable::run);
      stored.ifPresent(places -> {
        whole.take(places);
        whole.publish(places, distribution.whole());
      });
    } catch (RuntimeException e) {
      context.directory().dropOwners();
      throw e;
    } finally {
      quiet.ifPresent(ChunkCache.Quiesced::close);
      context.outcome().leave();
    }
  }

  /**
   * Returns the text that the ranks compare. It names the datasets by their headers, since a handle
   * keeps its path when the dataset is moved. When an extent changes, each rank has requests only
   * for the chunks of which it is the index owner.
   */
  private static String arguments(Operation operation, List<WriteRequest> given) {
    if (operation == Operation.EXTEND) {
      return "(chunks)";
    }
    StringJoiner headers = new StringJoiner(" ", "(chunks) headers=", "");
    given.forEach(request -> headers.add("0x" + Long.toHexString(request.dataset().id())));
    return headers.toString();
  }

  private List<WriteRequest> present(List<WriteRequest> requests) {
    for (WriteRequest request : requests) {
      request.dataset().requirePresence();
      context.changes().change(request.dataset());
    }
    return requests;
  }

  /**
   * Returns the datasets that the write changes on this rank: those of its requests, which are the
   * same on all ranks, and those of the chunks that it owns. When an extent changes, a rank may own
   * chunks without having requests.
   */
  private Set<ChunkedDataset> changed(
      List<WriteRequest> given, WriteDistribution agreed, MergedChunks merged) {
    Set<ChunkedDataset> changed = new HashSet<>();
    given.forEach(request -> changed.add(request.dataset()));
    Stream.of(merged.versions, agreed.inPlace(), agreed.whole())
        .flatMap(chunks -> chunks.keySet().stream())
        .mapToLong(ChunkKey::dataset)
        .distinct()
        .forEach(id -> changed.add(context.directory().dataset(id)));
    return changed;
  }

  private void flushFirst(List<WriteRequest> given, LocalStatus status) {
    context.directory().dropOwners();
    context.meter().departs(Departure.FLUSHED_FIRST);
    flush.run(status);
    // The flush has marked all datasets as stored, but this write is about to change some of them.
    given.forEach(request -> context.changes().change(request.dataset()));
    context.changes().beginCollectiveWrite();
  }

  /**
   * The new versions of the chunks that this rank owns, before they are published, and the elements
   * that they overwrite in datasets with a listener.
   */
  private record MergedChunks(
      SortedMap<ChunkKey, MemoryChunk> versions, Queue<ChunkMerger.Overwritten> overwritten) {}

  private MergedChunks applyRounds(WritePlan plan, WriteDistribution agreed, LocalStatus status) {
    SortedMap<ChunkKey, MemoryChunk> versions = new TreeMap<>();
    Queue<ChunkMerger.Overwritten> overwritten = new ConcurrentLinkedQueue<>();
    for (int round = 0; round < agreed.rounds(); round++) {
      try (Leases leases = new Leases(context.pool())) {
        List<PieceCodec.Incoming> incoming =
            pieces.move(
                plan,
                agreed.routes(),
                round,
                agreed.plan().incoming(round),
                agreed.traffic(),
                leases,
                status);
        merger.merge(incoming, agreed.work(), versions, overwritten, leases, status);
      }
    }
    return new MergedChunks(versions, overwritten);
  }

  private void publish(MergedChunks merged, WriteDistribution agreed) {
    merged.versions.forEach((key, version) -> {
      context.chunks().putUnstored(key, version);
      context.space().release(key);
      context.previous().putIfAbsent(key, Objects.requireNonNull(agreed.work().get(key)).record());
    });
    context.directory().acceptOwners();
  }
}
