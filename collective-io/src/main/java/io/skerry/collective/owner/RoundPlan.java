package io.skerry.collective.owner;

import io.skerry.cache.api.ChunkKey;
import io.skerry.collective.wire.Exchange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * In which round an owner takes in which pieces, so that no round brings more bytes than its
 * budget. All pieces of a chunk come in one round; only a chunk that alone exceeds the budget is
 * spread over consecutive rounds, in rank order, so that the highest rank still wins.
 */
public final class RoundPlan {
  private final Map<ChunkKey, Map<Integer, Integer>> roundOf = new HashMap<>();
  private final List<SortedMap<Integer, Long>> incoming = new ArrayList<>();

  /**
   * @param work what this rank owns in this write, in chunk order
   * @param budget bytes per round
   */
  public RoundPlan(List<Assignment> work, long budget) {
    int round = 0;
    long filled = 0;
    for (Assignment chunk : work) {
      long bytes = chunk.writers().stream().mapToLong(Assignment.Writer::bytes).sum();
      if (filled > 0 && filled + bytes > budget) {
        round++;
        filled = 0;
      }
      Map<Integer, Integer> mine = new HashMap<>();
      for (Assignment.Writer writer : chunk.writers()) {
        if (filled > 0 && filled + writer.bytes() > budget) {
          round++;
          filled = 0;
        }
        mine.put(writer.rank(), round);
        filled += writer.bytes();
        while (incoming.size() <= round) {
          incoming.add(new TreeMap<>());
        }
        incoming.get(round).merge(writer.rank(), writer.bytes(), Long::sum);
      }
      roundOf.put(chunk.key(), mine);
    }
  }

  /** Rounds this owner needs. */
  public int rounds() {
    return incoming.size();
  }

  /** Bytes that come in a round, by the rank that sends them. */
  public SortedMap<Integer, Long> incoming(int round) {
    return round < incoming.size() ? incoming.get(round) : new TreeMap<>();
  }

  /** Tells the writers which of their pieces come in a later round than the first. */
  public void announce(Exchange.Outbox out) {
    roundOf.forEach((key, writers) ->
        writers.forEach((rank, round) -> {
          if (round > 0) {
            key.encode(out.to(rank));
            out.to(rank).u32(round);
          }
        }));
  }
}
