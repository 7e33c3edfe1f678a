package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.ChunkLocator;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.PresentChunks;
import io.skerry.collective.core.TransferMeter;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.owner.GridArea;
import io.skerry.collective.owner.Ownership;
import io.skerry.collective.owner.RoundPlan;
import io.skerry.collective.plan.PieceCodec;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.collective.wire.Exchange;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport.Departure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Writes and erases elements in one collective operation. The result is a set of dirty chunks, each
 * in the memory of one rank, which {@link CollectiveFlush} stores. The steps are:
 *
 * <ol>
 *   <li>Each rank cuts its requests into pieces.
 *   <li>The index owners of the touched chunks choose the owners, and the owners plan rounds.
 *   <li>In each round, ranks send pieces to the owners. An owner reads a stored chunk unless it is
 *       overwritten completely, and merges the pieces in rank order, so that the highest rank wins
 *       where pieces overlap.
 *   <li>All ranks agree, and only then publish the new versions.
 * </ol>
 *
 * <p>Two kinds of chunks bypass these steps. Whole chunks that are each written by a single rank
 * are written to free space immediately if they are large enough in total; see {@link
 * WholeChunkWriter}. Pieces of stored, fixed-size chunks that each have a single writer are written
 * directly into the file, unless the options exclude this.
 */
public final class CollectiveWriter {
  private static final long OVER_LIMIT = 1;
  private static final long WIDE = 2;

  private final FileContext context;
  private final CollectiveFlush flush;
  private final ChunkMerger merger;
  private final PieceExchange pieces;
  private final InPlaceWriter inPlace;
  private final WholeChunkWriter whole;
  private final EncodingLimit encodingLimit;

  public CollectiveWriter(FileContext context, CollectiveFlush flush, ChunkImageReader images) {
    this.context = context;
    this.flush = flush;
    this.merger = new ChunkMerger(context, images);
    this.pieces = new PieceExchange(context);
    this.inPlace = new InPlaceWriter(context);
    this.whole = new CollectiveWholeChunkWriter(context);
    this.encodingLimit = new EncodingLimit(context);
  }

  /**
   * Applies the requests of all ranks. Collective.
   *
   * @throws CollectiveException on all ranks if at least one of them failed; no elements have
   *     changed then, except that pieces that are written in place may already be in the file
   */
  public void write(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    LocalStatus status = new LocalStatus();
    List<WriteRequest> given = status.attempt(() -> present(requests.get()), List.of());
    boolean wide = status.attempt(() -> given.stream().anyMatch(PresentChunks::isWide), false);
    WritePlan planned =
        wide ? WritePlan.empty() : status.attempt(() -> WritePlan.of(given), WritePlan.empty());
    context.outcome().enter(operation, subject, "(chunks)", status);
    context.meter().begin(operation, subject);
    context.changes().beginCollectiveWrite();
    Optional<ChunkCache.Quiesced> quiet = Optional.empty();
    try {
      WritePlan plan = planned;
      Agreement agreed = agreeOnOwners(plan, wide ? Breadth.WIDE : Breadth.KNOWN, status);
      if (agreed.anyWide) {
        flushFirst(given, status);
        ChunkLocator.Located located = locateErased(wide ? given : List.of(), status);
        plan = wide ? status.attempt(() -> narrowed(given, located), planned) : planned;
        agreed = agreeOnOwners(plan, Breadth.KNOWN, status);
      }
      if (agreed.overLimit && flush.anyDirty()) {
        flushFirst(given, status);
        agreed = agreeOnOwners(plan, Breadth.KNOWN, status);
      }
      measure(agreed);
      MergedChunks merged = applyRounds(agreed.rest(plan), agreed, status);
      // Independent reads on this rank see either all of this write or none of it, also of chunks
      // that are written in place.
      quiet = context.quiescence().quiesceReads(status);
      context.outcome().agree(status);
      Optional<WholeChunkWriter.Stored> stored =
          agreed.anyWhole ? Optional.of(whole.write(agreed.whole, status)) : Optional.empty();
      if (agreed.anyInPlace) {
        // Even if the write fails on one rank, pieces of other ranks may be in the file.
        context.changes().requireSync();
        inPlace.write(agreed.inPlace, status);
      }
      publish(merged, agreed);
      Agreement last = agreed;
      stored.ifPresent(places -> {
        whole.take(places);
        whole.publish(places, last.whole);
      });
    } catch (RuntimeException e) {
      context.directory().dropOwners();
      throw e;
    } finally {
      quiet.ifPresent(ChunkCache.Quiesced::close);
      context.outcome().leave();
    }
  }

  private void measure(Agreement agreed) {
    TransferMeter meter = context.meter();
    meter.rounds(agreed.rounds);
    meter.owns(
        agreed.work.size(),
        agreed.work.values().stream().filter(chunk -> chunk.writers().size() > 1).count());
    if (agreed.traffic == PieceExchange.Traffic.NONE) {
      meter.departs(Departure.NOTHING_SHARED);
    }
    if (agreed.anyInPlace) {
      meter.departs(Departure.IN_PLACE);
    }
    if (agreed.anyWhole) {
      meter.departs(Departure.WHOLE_CHUNKS);
    }
  }

  private List<WriteRequest> present(List<WriteRequest> requests) {
    for (WriteRequest request : requests) {
      request.dataset().requirePresence();
      context.changes().change(request.dataset());
    }
    return requests;
  }

  /**
   * Returns this rank's reason to flush before the write; 0 if there is none. The ranks agree on
   * the maximum, since the flush for the larger value also meets the need of the smaller.
   */
  private long pressure(Breadth breadth, long load) {
    if (breadth == Breadth.WIDE) {
      return WIDE;
    }
    return load > context.unstoredLimit() ? OVER_LIMIT : 0;
  }

  private void flushFirst(List<WriteRequest> given, LocalStatus status) {
    context.directory().dropOwners();
    context.meter().departs(Departure.FLUSHED_FIRST);
    flush.run(status);
    // The flush has marked all datasets as stored, but this write is about to change some of them.
    given.forEach(request -> context.changes().change(request.dataset()));
    context.changes().beginCollectiveWrite();
  }

  /** The knowledge that a rank has of the chunks that it changes. */
  private enum Breadth {
    /** The rank has a plan of all chunks that it changes. */
    KNOWN,
    /** The rank erases so many chunks that it has to ask first which of them exist. */
    WIDE
  }

  /**
   * Asks the index owners which chunks exist in the areas to be erased. The file must have been
   * flushed. Collective.
   */
  private ChunkLocator.Located locateErased(List<WriteRequest> requests, LocalStatus status) {
    List<GridArea> areas =
        requests.stream()
            .filter(PresentChunks::isWide)
            .flatMap(request -> GridArea.around(request.dataset(), request.selection()).stream())
            .toList();
    return new ChunkLocator(context).locateAll(areas, status);
  }

  private static WritePlan narrowed(List<WriteRequest> requests, ChunkLocator.Located located) {
    return WritePlan.of(
        requests.stream()
            .map(request ->
                PresentChunks.isWide(request)
                    ? PresentChunks.narrowed(request, located.chunks(request.dataset().id()))
                    : request)
            .toList());
  }

  /**
   * The distribution of a write over the ranks, as known to this rank.
   *
   * @param routes the owner of each chunk for which this rank has pieces
   * @param work the chunks that this rank owns
   * @param inPlace the chunks that this rank writes in place
   * @param whole the whole chunks that this rank stores at once
   * @param plan the rounds of this rank as an owner
   * @param rounds the largest number of rounds of any owner
   * @param traffic indicates whether pieces are exchanged between ranks
   * @param overLimit true if the write would exceed the limit of unstored bytes on some rank, and
   *     {@code anyWide} is false
   * @param anyInPlace true if any rank writes in place
   * @param anyWhole true if any rank stores whole chunks at once
   * @param anyWide true if any rank has to ask for existing chunks first
   */
  private record Agreement(
      Map<ChunkKey, PieceExchange.Destination> routes,
      SortedMap<ChunkKey, Assignment> work,
      SortedMap<ChunkKey, InPlaceWriter.Target> inPlace,
      SortedMap<ChunkKey, WholeChunkWriter.Target> whole,
      RoundPlan plan,
      long rounds,
      PieceExchange.Traffic traffic,
      boolean overLimit,
      boolean anyInPlace,
      boolean anyWhole,
      boolean anyWide) {
    /**
     * Returns the pieces that are sent to chunk owners: those that are neither written in place nor
     * stored as whole chunks.
     */
    WritePlan rest(WritePlan plan) {
      return plan.without(inPlace.keySet()).without(whole.keySet());
    }
  }

  private Agreement agreeOnOwners(WritePlan plan, Breadth breadth, LocalStatus status) {
    int me = context.ranks().rank();
    Ownership found = Ownership.settle(context.ranks(), context.directory(), plan, status);
    Map<ChunkKey, PieceExchange.Destination> routes = new HashMap<>();
    found
        .owners()
        .forEach((key, owner) -> routes.put(key, new PieceExchange.Destination(owner, 0)));
    SortedMap<ChunkKey, Assignment> work = found.work();
    SortedMap<ChunkKey, InPlaceWriter.Target> direct = inPlace.choose(plan, work);
    work.keySet().removeAll(direct.keySet());
    SortedMap<ChunkKey, WholeChunkWriter.Target> wholes = whole.choose(plan, work);
    work.keySet().removeAll(wholes.keySet());
    long incoming = 0;
    for (Assignment chunk : work.values()) {
      incoming += chunk.writers().stream().mapToLong(Assignment.Writer::bytes).sum();
    }
    status.attempt(() -> encodingLimit.requireTogether(work.keySet()));
    RoundPlan rounds = new RoundPlan(List.copyOf(work.values()), context.options().roundLimit());
    boolean shares = routes.values().stream().anyMatch(route -> route.rank() != me);
    long load = context.cache().unstoredBytes() + incoming;
    long[] words =
        context
            .outcome()
            .agree(
                status,
                rounds.rounds(),
                shares ? 1 : 0,
                pressure(breadth, load),
                direct.isEmpty() ? 0 : 1,
                wholes.isEmpty() ? 0 : 1,
                context.changes().hasIndependentWrite() ? 1 : 0);
    if (words[5] != 0) {
      boolean unused = context.changes().takeIndependentWrite();
      context.changes().requireSync();
      context.forgetStoredCopies();
    }
    if (words[0] > 1) {
      learnRounds(rounds, routes);
    }
    return new Agreement(
        routes,
        work,
        direct,
        wholes,
        rounds,
        words[0],
        words[1] != 0 ? PieceExchange.Traffic.AMONG_RANKS : PieceExchange.Traffic.NONE,
        words[2] == OVER_LIMIT,
        words[3] != 0,
        words[4] != 0,
        words[2] == WIDE);
  }

  /** Exchanges the round numbers of pieces that are sent after the first round. Collective. */
  private void learnRounds(RoundPlan mine, Map<ChunkKey, PieceExchange.Destination> routes) {
    Exchange.Outbox notices = new Exchange.Outbox();
    mine.announce(notices);
    for (ByteReader notice : Exchange.deliver(context.ranks(), notices, "round notice")) {
      while (notice.remaining() > 0) {
        ChunkKey key = ChunkKey.decode(notice);
        int round = (int) notice.u32();
        routes.computeIfPresent(key, (k, route) -> route.inRound(round));
      }
    }
  }

  /**
   * The new, unpublished versions of the chunks that this rank owns, and the elements that they
   * overwrite in datasets with a listener.
   */
  private record MergedChunks(
      SortedMap<ChunkKey, MemoryChunk> versions, Queue<ChunkMerger.Overwritten> overwritten) {}

  private MergedChunks applyRounds(WritePlan plan, Agreement agreed, LocalStatus status) {
    SortedMap<ChunkKey, MemoryChunk> versions = new TreeMap<>();
    Queue<ChunkMerger.Overwritten> overwritten = new ConcurrentLinkedQueue<>();
    for (int round = 0; round < agreed.rounds; round++) {
      try (Leases leases = new Leases(context.pool())) {
        List<PieceCodec.Incoming> incoming =
            pieces.move(
                plan,
                agreed.routes,
                round,
                agreed.plan.incoming(round),
                agreed.traffic,
                leases,
                status);
        merger.merge(incoming, agreed.work, versions, overwritten, leases, status);
      }
    }
    return new MergedChunks(versions, overwritten);
  }

  private void publish(MergedChunks merged, Agreement agreed) {
    merged.versions.forEach((key, version) -> {
      context.cache().putUnstored(key, version);
      context.space().release(key);
      context.previous().putIfAbsent(key, Objects.requireNonNull(agreed.work.get(key)).record());
    });
    context.directory().acceptOwners();
    merged.overwritten.forEach(ChunkMerger.Overwritten::tell);
  }
}
