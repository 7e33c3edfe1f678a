package io.skerry.cache.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.WorkerPool;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class ChunkNumbersTest {
  @Test
  void a_dimension_with_a_maximum_takes_the_bits_of_its_last_chunk() {
    // 5 × 3 chunks: 3 bits and 2 bits.
    ChunkNumbers numbers = new ChunkNumbers(ChunkGrid.of(10, 10), Shape.of(50, 30));
    assertEquals(0, numbers.number(new long[] {0, 0}));
    assertEquals(2, numbers.number(new long[] {0, 2}));
    assertEquals(4, numbers.number(new long[] {1, 0}));
    assertEquals(0b100_10, numbers.number(new long[] {4, 2}));
    assertEquals(ChunkCoordinates.of(4, 2), numbers.point(0b100_10));
  }

  @Test
  void an_unlimited_dimension_takes_the_remaining_bits() {
    Shape shape = Shape.of(0, 1000, 1000).unlimited(0);
    ChunkNumbers numbers = new ChunkNumbers(ChunkGrid.of(1, 250, 250), shape);
    long last = (1L << 59) - 1;
    long number = numbers.number(new long[] {last, 3, 3});
    assertEquals(Long.MAX_VALUE, number);
    assertEquals(ChunkCoordinates.of(last, 3, 3), numbers.point(number));
  }

  @Test
  void chunks_beyond_their_bit_fields_get_permanent_negative_numbers() {
    Shape shape = Shape.of(1, 1, 1).unlimited(0).unlimited(1).unlimited(2);
    ChunkNumbers numbers = new ChunkNumbers(ChunkGrid.of(1, 1, 1), shape);
    long beyond = 1L << 21;
    assertEquals(Long.MAX_VALUE, numbers.number(new long[] {beyond - 1, beyond - 1, beyond - 1}));
    assertEquals(-1, numbers.number(new long[] {beyond, 0, 0}));
    assertEquals(-2, numbers.number(new long[] {0, 0, beyond}));
    assertEquals(-1, numbers.number(new long[] {beyond, 0, 0}));
    assertEquals(ChunkCoordinates.of(0, 0, beyond), numbers.point(-2));
  }

  @Test
  void maximums_too_great_for_the_bits_are_shared_fairly() {
    long great = 1L << 40;
    ChunkNumbers numbers =
        new ChunkNumbers(
            ChunkGrid.of(1, 1, 1), Shape.of(new long[3], new long[] {great, 8, great}));
    // 3 bits for the small dimension, 30 for each of the others.
    long most = (1L << 30) - 1;
    assertEquals(Long.MAX_VALUE, numbers.number(new long[] {most, 7, most}));
    assertTrue(numbers.number(new long[] {most + 1, 0, 0}) < 0);
    assertTrue(numbers.number(new long[] {0, 8, 0}) < 0);
  }

  @Test
  void each_chunk_has_exactly_one_number_of_its_own() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      int rank = 1 + random.nextInt(random.nextBoolean() ? 4 : Shape.MAX_RANK);
      ChunkGrid grid = ChunkGrid.of(random.longs(rank, 1, 3).toArray());
      ChunkNumbers numbers = new ChunkNumbers(grid, anyShape(random, rank));
      Map<ChunkCoordinates, Long> byPoint = new HashMap<>();
      Map<Long, ChunkCoordinates> byNumber = new HashMap<>();
      for (int i = 0; i < 500; i++) {
        // Powers of two and their neighbors: the limits of the fields.
        long[] scaled = new long[rank];
        Arrays.setAll(
            scaled,
            _ -> Math.max(0, (1L << random.nextInt(62)) >> random.nextInt(62)) - random.nextInt(2));
        Arrays.setAll(scaled, d -> Math.max(0, scaled[d]));
        ChunkCoordinates point = ChunkCoordinates.of(scaled);
        long number = numbers.number(scaled);
        assertEquals(byPoint.getOrDefault(point, number), number);
        assertEquals(byNumber.getOrDefault(number, point), point);
        assertEquals(point, numbers.point(number));
        byPoint.put(point, number);
        byNumber.put(number, point);
      }
    }
  }

  @Test
  void a_dimension_without_chunks_takes_no_bit() {
    ChunkNumbers numbers =
        new ChunkNumbers(ChunkGrid.of(7, 7, 7), Shape.of(new long[3], new long[] {0, 14, 7}));
    assertEquals(1, numbers.number(new long[] {0, 1, 0}));
    assertEquals(-1, numbers.number(new long[] {1, 0, 0}));
    assertEquals(ChunkCoordinates.of(0, 1, 0), numbers.point(1));
  }

  @Test
  void a_point_gets_one_number_from_many_threads() {
    Shape shape = Shape.of(1, 1).unlimited(0).unlimited(1);
    ChunkNumbers numbers = new ChunkNumbers(ChunkGrid.of(1, 1), shape);
    try (WorkerPool pool = new WorkerPool(4)) {
      Callable<List<Long>> ask =
          () -> {
            List<Long> answers = new ArrayList<>();
            for (long i = 0; i < 20_000; i++) {
              long[] scaled = {1L << 40 | i, i};
              long number = numbers.number(scaled);
              assertEquals(ChunkCoordinates.of(scaled), numbers.point(number));
              answers.add(number);
            }
            return answers;
          };
      List<List<Long>> answers = pool.runAll(Collections.nCopies(4, ask));
      answers.forEach(given -> assertEquals(answers.getFirst(), given));
      assertEquals(20_000, answers.getFirst().stream().distinct().count());
    }
  }

  @Test
  void coordinates_of_no_chunk_are_refused() {
    ChunkNumbers numbers = new ChunkNumbers(ChunkGrid.of(10, 10), Shape.of(50, 30));
    assertThrows(IllegalArgumentException.class, () -> numbers.number(new long[] {1}));
    assertThrows(IllegalArgumentException.class, () -> numbers.number(new long[] {0, -1}));
    assertThrows(IllegalArgumentException.class, () -> numbers.point(1 << 5));
    assertThrows(IllegalArgumentException.class, () -> numbers.point(-1));
    assertThrows(IllegalArgumentException.class, () -> numbers.point(Long.MIN_VALUE));
    assertThrows(
        IllegalArgumentException.class, () -> new ChunkNumbers(ChunkGrid.of(1), Shape.of(1, 1)));
  }

  private static Shape anyShape(Random random, int rank) {
    long[] maximum = new long[rank];
    Arrays.setAll(
        maximum,
        _ ->
            switch (random.nextInt(3)) {
              case 0 -> Shape.UNLIMITED;
              case 1 -> random.nextInt(1000);
              default -> random.nextLong() >>> 1 + random.nextInt(62);
            });
    return Shape.of(new long[rank], maximum);
  }
}
