package io.skerry.collective.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Assigns each chunk that several ranks need to one of these ranks, its reader, so that all ranks
 * decode about the same number of bytes. A chunk that only one rank needs is read by that rank. The
 * chunks are divided into rounds, in each of which a rank sends and receives a limited number of
 * bytes. Local, not thread-safe.
 */
final class ChunkDealer {
  /**
   * The approximate maximum number of bytes of consecutive chunks that are assigned to a reader at
   * a time.
   */
  private static final long BLOCK = 1 << 20;

  /** The maximum number of ranks whose loads are compared to choose a reader. */
  private static final int COMPARED = 16;

  private final long[] load;
  private final List<Map<Integer, List<Segment>>> dealt = new ArrayList<>();
  private final List<Interval> shared = new ArrayList<>();
  private final long[] sent;
  private final long[] received;
  private int round;
  private int turn;

  /**
   * Consecutive chunks that one rank reads for all ranks that need them.
   *
   * @param first the number of the first chunk
   * @param count the number of chunks
   * @param reader the rank that reads the chunks
   * @param round the round in which the reader sends the values
   */
  record Segment(long first, long count, int reader, int round) {
    long end() {
      return first + count;
    }
  }

  /**
   * Consecutive chunks of one source that the same ranks need.
   *
   * @param source the number of the source
   * @param bytes for each rank, the number of bytes that it needs of each chunk
   */
  private record Interval(int source, long first, long end, int[] ranks, long[] bytes) {}

  /** Creates a dealer without sources. */
  ChunkDealer(int ranks) {
    load = new long[ranks];
    sent = new long[ranks];
    received = new long[ranks];
  }

  /**
   * Adds a source. The sources are numbered in the order in which they are added.
   *
   * @param elementSize the size of an element in bytes
   * @param wanted the needed chunks, by rank
   */
  void add(int elementSize, SortedMap<Integer, ChunkRuns> wanted) {
    int source = dealt.size();
    Map<Integer, List<Segment>> byRank = new TreeMap<>();
    wanted.keySet().forEach(rank -> byRank.put(rank, new ArrayList<>()));
    dealt.add(byRank);
    if (wanted.size() > 1) {
      sweep(source, elementSize, wanted);
    }
  }

  /** Returns whether several ranks need the same chunk. */
  boolean isAnyShared() {
    return !shared.isEmpty();
  }

  /** The start or the end of a run of chunks that a rank needs; an end is marked by -1 bytes. */
  private record Event(long chunk, int rank, long bytes) {}

  private void sweep(int source, int elementSize, SortedMap<Integer, ChunkRuns> wanted) {
    List<Event> events = new ArrayList<>();
    wanted.forEach((rank, runs) -> {
      for (int run = 0; run < runs.runs(); run++) {
        events.add(new Event(runs.first()[run], rank, runs.elements()[run] * elementSize));
        events.add(new Event(runs.end(run), rank, -1));
      }
    });
    // At the same chunk, the ends of runs precede the starts of other runs.
    events.sort(Comparator.comparingLong(Event::chunk).thenComparingLong(Event::bytes));
    SortedMap<Integer, Long> active = new TreeMap<>();
    long from = 0;
    for (Event event : events) {
      if (event.chunk() > from && !active.isEmpty()) {
        add(source, from, event.chunk(), active);
      }
      from = event.chunk();
      if (event.bytes() < 0) {
        active.remove(event.rank());
      } else {
        active.put(event.rank(), event.bytes());
      }
    }
  }

  private void add(int source, long first, long end, SortedMap<Integer, Long> active) {
    int[] ranks = active.keySet().stream().mapToInt(Integer::intValue).toArray();
    long[] bytes = active.values().stream().mapToLong(Long::longValue).toArray();
    if (ranks.length > 1) {
      shared.add(new Interval(source, first, end, ranks, bytes));
    } else {
      load[ranks[0]] += (end - first) * bytes[0];
    }
  }

  /**
   * Assigns the shared chunks to readers and rounds.
   *
   * @param budget the maximum number of bytes that a rank sends or receives in a round; a single
   *     chunk may exceed it
   */
  void deal(long budget) {
    shared.forEach(interval -> deal(interval, Math.max(1, budget)));
  }

  private void deal(Interval interval, long budget) {
    long all = Math.max(1, Arrays.stream(interval.bytes).sum());
    long largest = Math.max(1, Arrays.stream(interval.bytes).max().orElseThrow());
    long share = Math.ceilDiv(interval.end - interval.first, interval.ranks.length);
    long block = Math.max(1, Math.min(share, Math.min(BLOCK / largest, budget / all)));
    for (long at = interval.first; at < interval.end; ) {
      long count = Math.min(block, interval.end - at);
      int reader = reader(interval.ranks);
      load[reader] += count * largest;
      account(interval, reader, count, budget);
      for (int rank : interval.ranks) {
        append(of(interval.source, rank), new Segment(at, count, reader, round));
      }
      at += count;
    }
  }

  /** Returns the rank with the smallest load among at most 16 of the given ranks. */
  private int reader(int[] ranks) {
    int compared = Math.min(COMPARED, ranks.length);
    int best = ranks[turn % ranks.length];
    for (int i = 1; i < compared; i++) {
      int other = ranks[(turn + i) % ranks.length];
      best = load[other] < load[best] ? other : best;
    }
    turn = (turn + 1) % Integer.MAX_VALUE;
    return best;
  }

  private void account(Interval interval, int reader, long count, long budget) {
    long sending = 0;
    boolean full = false;
    for (int i = 0; i < interval.ranks.length; i++) {
      int rank = interval.ranks[i];
      long bytes = rank == reader ? 0 : interval.bytes[i] * count;
      sending += bytes;
      full |= bytes > 0 && received[rank] > 0 && received[rank] + bytes > budget;
    }
    if (full || sent[reader] > 0 && sent[reader] + sending > budget) {
      round++;
      Arrays.fill(sent, 0);
      Arrays.fill(received, 0);
    }
    sent[reader] += sending;
    for (int i = 0; i < interval.ranks.length; i++) {
      received[interval.ranks[i]] += interval.ranks[i] == reader ? 0 : interval.bytes[i] * count;
    }
  }

  private static void append(List<Segment> segments, Segment next) {
    if (!segments.isEmpty()) {
      Segment last = segments.getLast();
      if (last.end() == next.first && last.reader == next.reader && last.round == next.round) {
        segments.removeLast();
        segments.add(new Segment(last.first, last.count + next.count, last.reader, last.round));
        return;
      }
    }
    segments.add(next);
  }

  /** Returns the number of rounds. */
  int rounds() {
    return shared.isEmpty() ? 0 : round + 1;
  }

  /**
   * Returns the chunks of a source that a rank and other ranks need, in ascending order.
   *
   * @param source the number of the source
   */
  List<Segment> of(int source, int rank) {
    return dealt.get(source).getOrDefault(rank, List.of());
  }
}
