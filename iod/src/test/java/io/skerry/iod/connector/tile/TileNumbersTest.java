package io.skerry.iod.connector.tile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TileNumbersTest {
  private static final long OPEN = Shape.UNLIMITED;

  private static TileNumbers of(long[] maximum, long... tile) {
    return TileNumbers.of(Shape.of(new long[maximum.length], maximum), tile);
  }

  @Test
  void limited_dimensions_are_numbered_row_by_row() {
    TileNumbers numbers = of(new long[] {5, 7, 4}, 2, 3, 4);
    long expected = 0;
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        assertEquals(expected, numbers.number(new long[] {i, j, 0}));
        assertArrayEquals(new long[] {i, j, 0}, numbers.scaled(expected));
        expected++;
      }
    }
  }

  @Test
  void the_unlimited_dimension_varies_slowest() {
    TileNumbers numbers = of(new long[] {6, OPEN}, 2, 5);
    assertEquals(0, numbers.number(new long[] {0, 0}));
    assertEquals(2, numbers.number(new long[] {2, 0}));
    assertEquals(3, numbers.number(new long[] {0, 1}));
    assertEquals(3_000_001, numbers.number(new long[] {1, 1_000_000}));
    assertThrows(
        UnsupportedFeatureException.class,
        () -> numbers.number(new long[] {0, Long.MAX_VALUE / 3 + 1}));
  }

  @Test
  void several_unlimited_dimensions_share_the_numbers() {
    TileNumbers two = of(new long[] {OPEN, OPEN}, 1, 1);
    // The square root of 2^63-1 is 3,037,000,499.9...
    assertEquals(3_037_000_499L, two.number(new long[] {1, 0}));
    assertTrue(two.number(new long[] {3_037_000_498L, 3_037_000_498L}) > 0, "no overflow");
    assertThrows(
        UnsupportedFeatureException.class, () -> two.number(new long[] {0, 3_037_000_499L}));
    TileNumbers three = of(new long[] {OPEN, OPEN, OPEN}, 1, 1, 1);
    assertEquals(2_097_151L * 2_097_151L, three.number(new long[] {1, 0, 0}));
  }

  @Test
  void huge_limits_count_as_unlimited() {
    long huge = 1L << 40;
    TileNumbers numbers = of(new long[] {huge, huge}, 1, 1);
    assertEquals(3_037_000_499L, numbers.number(new long[] {1, 0}));
  }

  @Test
  void numbers_are_distinct_and_lead_back() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 500; round++) {
      int rank = random.nextInt(1, 6);
      long[] maximum = new long[rank];
      long[] tile = new long[rank];
      Arrays.setAll(maximum, _ -> random.nextInt(3) == 0 ? OPEN : random.nextLong(0, 60));
      Arrays.setAll(tile, _ -> random.nextLong(1, 9));
      TileNumbers numbers = of(maximum, tile);
      Set<Long> seen = new HashSet<>();
      Set<String> scaled = new HashSet<>();
      for (int i = 0; i < 50; i++) {
        long[] at = new long[rank];
        Arrays.setAll(
            at,
            d ->
                random.nextLong(
                    maximum[d] == OPEN ? 50 : Math.max(1, Math.ceilDiv(maximum[d], tile[d]))));
        long number = numbers.number(at);
        assertEquals(scaled.add(Arrays.toString(at)), seen.add(number), "distinct");
        assertArrayEquals(at, numbers.scaled(number));
      }
    }
  }

  @Test
  void a_negative_number_is_damage() {
    TileNumbers numbers = of(new long[] {OPEN}, 1);
    assertThrows(FormatException.class, () -> numbers.scaled(-1));
  }

  @Test
  void a_number_outside_the_largest_extent_is_damage() {
    TileNumbers limited = of(new long[] {5, 7}, 2, 3);
    assertArrayEquals(new long[] {2, 2}, limited.scaled(8));
    assertThrows(FormatException.class, () -> limited.scaled(9));
    TileNumbers open = of(new long[] {OPEN, 7}, 16, 3);
    assertArrayEquals(new long[] {1L << 40, 1}, open.scaled(3L * (1L << 40) + 1));
    // The first element of the tile would have a coordinate above 2^63-1.
    assertThrows(FormatException.class, () -> open.scaled(Long.MAX_VALUE));
  }
}
