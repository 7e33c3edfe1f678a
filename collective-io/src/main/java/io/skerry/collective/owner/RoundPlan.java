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
 * Assigns the pieces that an owner receives to rounds. The pieces of a round do not exceed the byte
 * budget, unless the round consists only of one rank's pieces of one chunk. All pieces of a chunk
 * are received in one round, unless they alone exceed the budget. In that case, they are divided
 * among consecutive rounds in rank order, so that the values of the highest rank still prevail
 * where pieces overlap.
 */
public final class RoundPlan {
  private final Map<ChunkKey, Map<Integer, Integer>> roundOf = new HashMap<>();
  private final List<SortedMap<Integer, Long>> incoming = new ArrayList<>();

  /**
   * Plans the rounds of an owner.
   *
   * @param work the chunks that this rank owns in this write, in chunk order
   * @param budget the maximum number of bytes in a round, unless the round consists only of one
   *     rank's pieces of one chunk
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

  /** Returns the number of rounds that this owner needs. */
  public int rounds() {
    return incoming.size();
  }

  /** Returns the number of bytes that this owner receives in a round, by sender. */
  public SortedMap<Integer, Long> incoming(int round) {
    return round < incoming.size() ? incoming.get(round) : new TreeMap<>();
  }

  /**
   * Appends the messages for the writers. They contain the round number of each chunk whose pieces
   * are sent after the first round.
   */
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
