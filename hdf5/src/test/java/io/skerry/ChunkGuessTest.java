package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the choice of a chunk shape. */
class ChunkGuessTest {
  @Test
  void elements_above_the_target_size_have_a_chunk_each_whatever_the_extent() {
    Random random = new Random(3);
    for (int run = 0; run < 20_000; run++) {
      long[] extent = new long[1 + random.nextInt(6)];
      int bits = 60 / extent.length;
      for (int d = 0; d < extent.length; d++) {
        extent[d] = 1 + random.nextLong(1L << random.nextInt(1, bits));
      }
      int size = (1 << 20) + random.nextInt(1 << 30);
      for (DatasetSpec.AccessPattern access : DatasetSpec.AccessPattern.values()) {
        long[] ones = new long[extent.length];
        Arrays.fill(ones, 1);
        assertArrayEquals(
            ones,
            ChunkGuess.of(Shape.of(extent), size, access),
            () -> size + " " + Arrays.toString(extent) + " " + access);
      }
    }
  }

  @Test
  void a_chunk_has_at_least_half_the_target_size_if_the_dataset_is_larger() {
    long[] chunk = ChunkGuess.of(Shape.of(1 << 20, 1 << 20), 8, DatasetSpec.AccessPattern.BLOCKS);
    assertEquals(1 << 20, 8 * chunk[0] * chunk[1]);
  }
}
