package io.skerry.collective.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.collective.wire.FailureGather.Answer;
import io.skerry.mpi.LocalRanks;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailureGatherTest {
  @Test
  void all_ranks_learn_which_are_concerned_and_what_some_say() {
    for (int size = 3; size <= 20; size++) {
      int n = size;
      List<Integer> expected =
          IntStream.range(0, n).filter(rank -> new Random(rank).nextInt(3) > 0).boxed().toList();
      LocalRanks.run(
          n,
          world -> {
            FailureGather census = new FailureGather(world);
            boolean mine = expected.contains(world.rank());
            assertEquals(
                expected, census.concerned(mine ? Answer.CONCERNED : Answer.NOT_CONCERNED));
            assertEquals(List.of(), census.concerned(Answer.NOT_CONCERNED));
            assertEquals(
                Map.of(n / 2, "rank " + n / 2, n - 1, "rank " + (n - 1)),
                census.texts(List.of(n / 2, n - 1), "rank " + world.rank()));
            assertEquals("", census.text(0, ""));
          });
    }
  }

  @Test
  void long_texts_are_cut() {
    LocalRanks.run(
        2,
        world -> {
          String told = new FailureGather(world).text(1, "x".repeat(5000));
          assertTrue(told.length() < 2100 && told.endsWith("…"), told);
        });
  }
}
