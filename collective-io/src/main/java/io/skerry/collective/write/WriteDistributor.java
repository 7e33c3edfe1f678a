package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.owner.Ownership;
import io.skerry.collective.owner.RoundPlan;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Distributes a collective write among the ranks. The index owners choose the owners of the chunks.
 * Each owner chooses which of its chunks it writes without an exchange of pieces, and plans the
 * rounds for its other chunks. All ranks then agree on the distribution.
 */
final class WriteDistributor {
  private static final long OVER_LIMIT = 1;
  private static final long WIDE = 2;

  private final FileContext context;
  private final InPlaceWriter inPlace;
  private final WholeChunkWriter whole;
  private final EncodingLimit encodingLimit;

  WriteDistributor(FileContext context, InPlaceWriter inPlace, WholeChunkWriter whole) {
    this.context = context;
    this.inPlace = inPlace;
    this.whole = whole;
    this.encodingLimit = new EncodingLimit(context);
  }

  /** Indicates whether a rank has already determined all chunks that it changes. */
  enum Breadth {
    /** The rank has a plan of all chunks that it changes. */
    KNOWN,
    /**
     * The rank erases elements in so many chunks of the grid that it must first determine which of
     * these chunks exist.
     */
    WIDE
  }

  /**
   * Distributes the pieces of all ranks. Collective.
   *
   * @param plan the pieces of this rank
   */
  WriteDistribution distribute(WritePlan plan, Breadth breadth, LocalStatus status) {
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
    long load = context.chunks().unstoredBytes() + incoming;
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
    return new WriteDistribution(
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

  /**
   * Returns this rank's reason to flush before the write; 0 if there is none. The ranks agree on
   * the maximum, since the flush for the larger value also serves the purpose of the smaller value.
   */
  private long pressure(Breadth breadth, long load) {
    if (breadth == Breadth.WIDE) {
      return WIDE;
    }
    return load > context.unstoredLimit() ? OVER_LIMIT : 0;
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
}
