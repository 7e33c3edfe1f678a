package io.skerry.collective.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.collective.wire.Exchange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundPlanTest {
  private static final int RANKS = 5;

  @Test
  void a_round_does_not_exceed_its_budget_unless_it_has_a_single_piece() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      long budget = 1 + random.nextInt(300);
      List<Assignment> work = work(random);
      Map<ChunkKey, Map<Integer, Integer>> rounds = rounds(work, new RoundPlan(work, budget));
      Map<Integer, Long> bytes = new HashMap<>();
      Map<Integer, Integer> pieces = new HashMap<>();
      for (Assignment chunk : work) {
        for (Assignment.Writer writer : chunk.writers()) {
          int round = rounds.get(chunk.key()).get(writer.rank());
          bytes.merge(round, writer.bytes(), Long::sum);
          pieces.merge(round, 1, Integer::sum);
        }
      }
      int seedNow = seed;
      bytes.forEach((round, sum) ->
          assertTrue(
              sum <= budget || pieces.get(round) == 1, "seed " + seedNow + " round " + round));
    }
  }

  @Test
  void all_pieces_of_a_chunk_are_in_one_round_if_they_fit() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      long budget = 1 + random.nextInt(300);
      List<Assignment> work = work(random);
      Map<ChunkKey, Map<Integer, Integer>> rounds = rounds(work, new RoundPlan(work, budget));
      for (Assignment chunk : work) {
        long sum = chunk.writers().stream().mapToLong(Assignment.Writer::bytes).sum();
        if (sum <= budget) {
          assertEquals(1, Map.copyOf(rounds.get(chunk.key())).values().stream().distinct().count());
        }
      }
    }
  }

  @Test
  void a_chunk_that_exceeds_the_budget_is_received_in_rank_order() {
    ChunkKey key = ChunkKey.of(1, 0);
    List<Assignment> work =
        List.of(
            new Assignment(
                key,
                Optional.empty(),
                List.of(
                    new Assignment.Writer(0, 60),
                    new Assignment.Writer(2, 60),
                    new Assignment.Writer(4, 60))));
    Map<Integer, Integer> rounds = rounds(work, new RoundPlan(work, 100)).get(key);
    assertEquals(Map.of(0, 0, 2, 1, 4, 2), rounds);
  }

  @Test
  void an_owner_without_chunks_needs_no_round() {
    assertEquals(0, new RoundPlan(List.of(), 10).rounds());
  }

  private static List<Assignment> work(Random random) {
    List<Assignment> work = new ArrayList<>();
    for (int chunk = 0; chunk < random.nextInt(8); chunk++) {
      List<Assignment.Writer> writers = new ArrayList<>();
      for (int rank = 0; rank < RANKS; rank++) {
        if (random.nextBoolean()) {
          writers.add(new Assignment.Writer(rank, 1 + random.nextInt(100)));
        }
      }
      if (!writers.isEmpty()) {
        work.add(new Assignment(ChunkKey.of(7, chunk), Optional.empty(), writers));
      }
    }
    return work;
  }

  /** Returns the rounds of all writers: round 0 unless the plan announces another one. */
  private static Map<ChunkKey, Map<Integer, Integer>> rounds(
      List<Assignment> work, RoundPlan plan) {
    Map<ChunkKey, Map<Integer, Integer>> rounds = new HashMap<>();
    for (Assignment chunk : work) {
      Map<Integer, Integer> mine = new HashMap<>();
      chunk.writers().forEach(writer -> mine.put(writer.rank(), 0));
      rounds.put(chunk.key(), mine);
    }
    Exchange.Outbox notices = new Exchange.Outbox();
    plan.announce(notices);
    int most = 0;
    for (int rank = 0; rank < RANKS; rank++) {
      ByteReader notice = ByteReader.of(notices.to(rank).written(), "notice");
      while (notice.remaining() > 0) {
        ChunkKey key = ChunkKey.decode(notice);
        int round = (int) notice.u32();
        rounds.get(key).put(rank, round);
        most = Math.max(most, round);
      }
    }
    if (!work.isEmpty()) {
      assertEquals(most + 1, plan.rounds());
    }
    return rounds;
  }
}
