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
  void all_ranks_receive_the_concerned_ranks_and_the_texts_of_some() {
    for (int size = 3; size <= 20; size++) {
      int n = size;
      List<Integer> expected =
          IntStream.range(0, n).filter(rank -> new Random(rank).nextInt(3) > 0).boxed().toList();
      LocalRanks.run(
          n,
          world -> {
            FailureGather gather = new FailureGather(world);
            boolean mine = expected.contains(world.rank());
            assertEquals(
                expected, gather.concerned(mine ? Answer.CONCERNED : Answer.NOT_CONCERNED));
            assertEquals(List.of(), gather.concerned(Answer.NOT_CONCERNED));
            assertEquals(
                Map.of(n / 2, "rank " + n / 2, n - 1, "rank " + (n - 1)),
                gather.texts(List.of(n / 2, n - 1), "rank " + world.rank()));
            assertEquals("", gather.text(0, ""));
          });
    }
  }

  @Test
  void long_texts_are_truncated() {
    LocalRanks.run(
        2,
        world -> {
          String text = new FailureGather(world).text(1, "x".repeat(5000));
          assertTrue(text.length() < 2100 && text.endsWith("…"), text);
        });
  }
}
