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
 * The collective write and erase: plan, own, exchange, merge. What it leaves are dirty chunks, each
 * on one rank; {@link CollectiveFlush} stores them.
 *
 * <ol>
 *   <li>each rank cuts its requests into pieces;
 *   <li>the homes of the touched chunks name the owners, and the owners plan rounds;
 *   <li>per round, pieces move to the owners, which fetch what is not fully overwritten and merge
 *       in rank order, so that the highest rank wins an overlap;
 *   <li>all agree, and only then is anything published;
 *   <li>chunks that one rank alone writes as a whole, many at a time, go to free space at once, see
 *       {@link WholeChunkWriter};
 *   <li>stored chunks of fixed size with a single writer need none of this: their pieces go
 *       straight into the file, unless the options say otherwise.
 * </ol>
 */
public final class CollectiveWriter {
  private static final long OVER_LIMIT = 1;
  private static final long WIDE = 2;

  private final FileContext session;
  private final CollectiveFlush flush;
  private final ChunkMerger merger;
  private final PieceExchange pieces;
  private final InPlaceWriter inPlace;
  private final WholeChunkWriter whole;
  private final EncodingLimit room;

  public CollectiveWriter(FileContext session, CollectiveFlush flush, ChunkImageReader images) {
    this.session = session;
    this.flush = flush;
    this.merger = new ChunkMerger(session, images);
    this.pieces = new PieceExchange(session);
    this.inPlace = new InPlaceWriter(session);
    this.whole = new CollectiveWholeChunkWriter(session);
    this.room = new EncodingLimit(session);
  }

  /**
   * Applies the requests of all ranks. Collective.
   *
   * @throws CollectiveException on all ranks, if one of them failed; nothing has changed then,
   *     except that pieces which go straight into the file may be there
   */
  public void write(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    LocalStatus status = new LocalStatus();
    List<WriteRequest> given = status.attempt(() -> present(requests.get()), List.of());
    boolean wide = status.attempt(() -> given.stream().anyMatch(PresentChunks::isWide), false);
    WritePlan planned =
        wide ? WritePlan.empty() : status.attempt(() -> WritePlan.of(given), WritePlan.empty());
    session.outcome().enter(operation, subject, "(chunks)", status);
    session.meter().begin(operation, subject);
    session.changes().beginCollectiveWrite();
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
      // Independent reads of this rank see all of a write, after the flush or in place, or nothing.
      quiet = session.quiescence().quiesceReads(status);
      session.outcome().agree(status);
      Optional<WholeChunkWriter.Stored> stored =
          agreed.anyWhole ? Optional.of(whole.write(agreed.whole, status)) : Optional.empty();
      if (agreed.anyInPlace) {
        // Even if it fails on one rank, pieces of the others are in the file.
        session.changes().requireSync();
        inPlace.write(agreed.inPlace, status);
      }
      publish(merged, agreed);
      Agreement last = agreed;
      stored.ifPresent(places -> {
        whole.take(places);
        whole.publish(places, last.whole);
      });
    } catch (RuntimeException e) {
      session.directory().dropOwners();
      throw e;
    } finally {
      quiet.ifPresent(ChunkCache.Quiesced::close);
      session.outcome().leave();
    }
  }

  private void measure(Agreement agreed) {
    TransferMeter meter = session.meter();
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
      session.changes().change(request.dataset());
    }
    return requests;
  }

  /** The reason of this rank to flush first; the larger of two covers the other. */
  private long pressure(Breadth breadth, long load) {
    if (breadth == Breadth.WIDE) {
      return WIDE;
    }
    return load > session.unstoredLimit() ? OVER_LIMIT : 0;
  }

  private void flushFirst(List<WriteRequest> given, LocalStatus status) {
    session.directory().dropOwners();
    session.meter().departs(Departure.FLUSHED_FIRST);
    flush.run(status);
    // The flush has marked all datasets as stored, and this write still changes its own.
    given.forEach(request -> session.changes().change(request.dataset()));
    session.changes().beginCollectiveWrite();
  }

  /** Whether a rank knows the chunks that it changes, or erases in so many that it has to ask. */
  private enum Breadth {
    KNOWN,
    WIDE
  }

  /** Asks which of the erased chunks exist, when everything is stored. Collective. */
  private ChunkLocator.Located locateErased(List<WriteRequest> requests, LocalStatus status) {
    List<GridArea> areas =
        requests.stream()
            .filter(PresentChunks::isWide)
            .flatMap(request -> GridArea.around(request.dataset(), request.selection()).stream())
            .toList();
    return new ChunkLocator(session).locateAll(areas, status);
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

  /** Who gets what when. */
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
    /** What goes the long way. */
    WritePlan rest(WritePlan plan) {
      return plan.without(inPlace.keySet()).without(whole.keySet());
    }
  }

  private Agreement agreeOnOwners(WritePlan plan, Breadth breadth, LocalStatus status) {
    int me = session.ranks().rank();
    Ownership found = Ownership.settle(session.ranks(), session.directory(), plan, status);
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
    status.attempt(() -> room.requireTogether(work.keySet()));
    RoundPlan rounds = new RoundPlan(List.copyOf(work.values()), session.options().roundLimit());
    boolean shares = routes.values().stream().anyMatch(route -> route.rank() != me);
    long load = session.cache().unstoredBytes() + incoming;
    long[] words =
        session
            .outcome()
            .agree(
                status,
                rounds.rounds(),
                shares ? 1 : 0,
                pressure(breadth, load),
                direct.isEmpty() ? 0 : 1,
                wholes.isEmpty() ? 0 : 1,
                session.changes().hasIndependentWrite() ? 1 : 0);
    if (words[5] != 0) {
      boolean unused = session.changes().takeIndependentWrite();
      session.changes().requireSync();
      session.forgetStoredCopies();
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

  /** Some owner needs several rounds: owners tell writers which pieces come later. */
  private void learnRounds(RoundPlan mine, Map<ChunkKey, PieceExchange.Destination> routes) {
    Exchange.Outbox notices = new Exchange.Outbox();
    mine.announce(notices);
    for (ByteReader notice : Exchange.deliver(session.ranks(), notices, "round notice")) {
      while (notice.remaining() > 0) {
        ChunkKey key = ChunkKey.decode(notice);
        int round = (int) notice.u32();
        routes.computeIfPresent(key, (k, route) -> route.inRound(round));
      }
    }
  }

  /** New versions of the chunks owned here, not yet published. */
  private record MergedChunks(
      SortedMap<ChunkKey, MemoryChunk> versions, Queue<ChunkMerger.Overwritten> overwritten) {}

  private MergedChunks applyRounds(WritePlan plan, Agreement agreed, LocalStatus status) {
    SortedMap<ChunkKey, MemoryChunk> versions = new TreeMap<>();
    Queue<ChunkMerger.Overwritten> overwritten = new ConcurrentLinkedQueue<>();
    for (int round = 0; round < agreed.rounds; round++) {
      try (Leases leases = new Leases(session.pool())) {
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
      session.cache().putUnstored(key, version);
      session.space().release(key);
      session.stored().putIfAbsent(key, Objects.requireNonNull(agreed.work.get(key)).record());
    });
    session.directory().acceptOwners();
    merged.overwritten.forEach(ChunkMerger.Overwritten::tell);
  }
}
