package io.skerry.collective.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ChunkDealerTest {
  private static final int SIZE = 4;

  /** The number of elements that each rank requests, by rank and chunk. */
  private record Source(SortedMap<Integer, SortedMap<Long, Long>> wanted) {
    Source() {
      this(new TreeMap<>());
    }

    void want(int rank, long chunk, long elements) {
      wanted.computeIfAbsent(rank, _ -> new TreeMap<>()).put(chunk, elements);
    }

    SortedMap<Integer, ChunkRuns> runs() {
      SortedMap<Integer, ChunkRuns> runs = new TreeMap<>();
      wanted.forEach((rank, chunks) -> {
        ChunkRuns.Builder builder = new ChunkRuns.Builder();
        chunks.forEach(builder::add);
        runs.put(rank, builder.build());
      });
      return runs;
    }

    Set<Integer> ranksOf(long chunk) {
      Set<Integer> ranks = new TreeSet<>();
      wanted.forEach((rank, chunks) -> {
        if (chunks.containsKey(chunk)) {
          ranks.add(rank);
        }
      });
      return ranks;
    }

    long bytes(int rank, long chunk) {
      return SIZE * Objects.requireNonNull(Objects.requireNonNull(wanted.get(rank)).get(chunk));
    }
  }

  private static void add(Map<Integer, Long> sums, int rank, long bytes) {
    sums.merge(rank, bytes, Long::sum);
  }

  /** The chunks that ranks read for others, and the bytes that they send and receive by round. */
  private static final class Dealt {
    private final Map<Integer, Long> read = new TreeMap<>();
    private final Map<Integer, Map<Integer, Long>> sent = new TreeMap<>();
    private final Map<Integer, Map<Integer, Long>> received = new TreeMap<>();

    /** Checks that exactly the chunks that several ranks request are dealt, each to one reader. */
    void check(ChunkDealer dealer, int number, Source source) {
      Map<Long, ChunkDealer.Segment> byChunk = new HashMap<>();
      source.wanted.forEach((rank, chunks) -> {
        List<Long> shared = new ArrayList<>();
        for (ChunkDealer.Segment segment : dealer.of(number, rank)) {
          for (long chunk = segment.first(); chunk < segment.end(); chunk++) {
            shared.add(chunk);
            ChunkDealer.Segment known = byChunk.putIfAbsent(chunk, segment);
            assertTrue(
                known == null
                    || known.reader() == segment.reader() && known.round() == segment.round());
            assertTrue(segment.round() < dealer.rounds());
          }
        }
        assertEquals(
            chunks.keySet().stream().filter(chunk -> source.ranksOf(chunk).size() > 1).toList(),
            shared);
      });
      byChunk.forEach((chunk, segment) -> {
        Set<Integer> ranks = source.ranksOf(chunk);
        assertTrue(ranks.contains(segment.reader()));
        add(read, segment.reader(), 1);
        for (int rank : ranks) {
          if (rank != segment.reader()) {
            long bytes = source.bytes(rank, chunk);
            add(
                sent.computeIfAbsent(segment.round(), _ -> new TreeMap<>()),
                segment.reader(),
                bytes);
            add(received.computeIfAbsent(segment.round(), _ -> new TreeMap<>()), rank, bytes);
          }
        }
      });
    }

    void checkMost(long most) {
      for (Map<Integer, Map<Integer, Long>> rounds : List.of(sent, received)) {
        rounds.forEach((round, byRank) ->
            byRank.forEach((rank, bytes) ->
                assertTrue(bytes <= most, "round " + round + " rank " + rank + " bytes " + bytes)));
      }
    }
  }

  @Test
  void each_chunk_that_several_ranks_want_has_one_of_them_as_its_reader() {
    Random random = new Random(1);
    for (int trial = 0; trial < 300; trial++) {
      int ranks = 1 + random.nextInt(6);
      ChunkDealer dealer = new ChunkDealer(ranks);
      List<Source> sources = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        Source source = new Source();
        for (int rank = 0; rank < ranks; rank++) {
          long chunk = random.nextInt(10);
          for (int runs = random.nextInt(4); runs > 0; runs--) {
            long elements = 1 + random.nextInt(50);
            for (int n = 1 + random.nextInt(8); n > 0; n--) {
              source.want(rank, chunk++, elements);
            }
            chunk += random.nextInt(5);
          }
        }
        dealer.add(SIZE, source.runs());
        sources.add(source);
      }
      long budget = 1L << random.nextInt(16);
      dealer.deal(budget);
      Dealt dealt = new Dealt();
      for (int i = 0; i < sources.size(); i++) {
        dealt.check(dealer, i, sources.get(i));
      }
      // A chunk of 200 bytes may be sent to five ranks.
      dealt.checkMost(Math.max(budget, 5 * 50 * SIZE));
      assertEquals(dealt.read.isEmpty(), !dealer.isAnyShared());
      assertEquals(dealt.read.isEmpty(), dealer.rounds() == 0);
    }
  }

  @Test
  void the_chunks_of_a_source_that_all_ranks_want_are_divided_evenly() {
    int ranks = 5;
    Source source = new Source();
    for (int rank = 0; rank < ranks; rank++) {
      for (long chunk = 0; chunk < 1000; chunk++) {
        source.want(rank, chunk, 100_000);
      }
    }
    ChunkDealer dealer = new ChunkDealer(ranks);
    dealer.add(SIZE, source.runs());
    dealer.deal(64 << 20);
    Dealt dealt = new Dealt();
    dealt.check(dealer, 0, source);
    dealt.read.values().forEach(chunks -> assertEquals(200, chunks, 4));
    dealt.checkMost(64 << 20);
    // Each rank receives a total of 320 MB.
    assertEquals(5, dealer.rounds());
  }

  @Test
  void sources_of_one_chunk_are_divided_evenly() {
    ChunkDealer dealer = new ChunkDealer(3);
    Dealt dealt = new Dealt();
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Source source = new Source();
      for (int rank = 0; rank < 3; rank++) {
        source.want(rank, 0, 10);
      }
      dealer.add(SIZE, source.runs());
      sources.add(source);
    }
    dealer.deal(1 << 20);
    for (int i = 0; i < sources.size(); i++) {
      dealt.check(dealer, i, sources.get(i));
    }
    dealt.read.values().forEach(chunks -> assertEquals(100, chunks));
  }

  @Test
  void a_rank_that_reads_other_chunks_alone_reads_fewer_for_others() {
    Source source = new Source();
    for (long chunk = 0; chunk < 200; chunk++) {
      source.want(0, chunk, 1000);
      if (chunk >= 100) {
        source.want(1, chunk, 1000);
      }
    }
    ChunkDealer dealer = new ChunkDealer(2);
    dealer.add(SIZE, source.runs());
    dealer.deal(1 << 30);
    Dealt dealt = new Dealt();
    dealt.check(dealer, 0, source);
    assertEquals(Set.of(1), dealt.read.keySet());
  }
}
