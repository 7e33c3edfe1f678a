package io.skerry.integration.scale;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.mpi.Reduction;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class VirtualRanksTest {
  private static final int[] SIZES = {1, 2, 3, 7, 8, 13, 64, 100};

  @Test
  void reductions_and_prefix_sums_are_those_of_the_values() {
    for (int size : SIZES) {
      List<long[]> all =
          VirtualRanks.call(
              size,
              world -> {
                long value = 1L + 3 * world.rank();
                return new long[] {
                  world.allReduce(value, Reduction.SUM),
                  world.allReduce(value, Reduction.MAX),
                  world.allReduce(value, Reduction.MIN),
                  world.exclusiveScan(value, Reduction.SUM)
                };
              });
      long sum = LongStream.range(0, size).map(rank -> 1 + 3 * rank).sum();
      long below = 0;
      for (int rank = 0; rank < size; rank++) {
        assertArrayEquals(new long[] {sum, 3L * size - 2, 1, below}, all.get(rank), "size=" + size);
        below += 1 + 3 * rank;
      }
    }
  }

  @Test
  void a_broadcast_reaches_all_from_any_root() {
    for (int size : SIZES) {
      for (int root = 0; root < size; root += 3) {
        int from = root;
        List<byte[]> all =
            VirtualRanks.call(
                size, world -> world.broadcast(new byte[] {(byte) world.rank()}, from));
        all.forEach(bytes -> assertArrayEquals(new byte[] {(byte) from}, bytes));
      }
    }
  }

  @Test
  void each_rank_receives_the_messages_addressed_to_it() {
    for (int size : SIZES) {
      List<long[]> all =
          VirtualRanks.call(
              size,
              world ->
                  world.allToAll(
                      LongStream.range(0, world.size())
                          .map(to -> 1000 * world.rank() + to)
                          .toArray()));
      for (int rank = 0; rank < size; rank++) {
        int to = rank;
        assertArrayEquals(
            LongStream.range(0, size).map(from -> 1000 * from + to).toArray(), all.get(rank));
      }
    }
  }

  @Test
  void a_tree_takes_as_many_messages_as_there_are_other_ranks() {
    for (int size : SIZES) {
      List<Traffic> all =
          VirtualRanks.call(
              size,
              world -> {
                byte[] unused = world.broadcast(new byte[10], 0);
                return world.sent();
              });
      assertEquals(size - 1, all.stream().mapToLong(Traffic::messages).sum());
      assertEquals(10L * (size - 1), all.stream().mapToLong(Traffic::bytes).sum());
      int doublings = Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
      assertEquals(doublings, all.getFirst().messages());
    }
  }

  @Test
  void operations_that_planning_does_not_need_are_refused() {
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class, () -> VirtualRanks.call(1, world -> world.duplicate()));
    assertEquals(UnsupportedOperationException.class, e.getCause().getClass());
  }

  @Test
  void results_are_ordered_by_rank() {
    List<Integer> all = VirtualRanks.call(50, VirtualCommunicator::rank);
    assertEquals(IntStream.range(0, 50).boxed().toList(), all);
    assertEquals(50, Arrays.stream(all.toArray()).distinct().count());
  }
}
