package io.skerry.chunk.dataspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.selection.Shape;
import java.util.BitSet;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HyperslabDimensionTest {
  private static final int WINDOW = 3000;

  private final Random random = new Random(31);

  private HyperslabDimension any() {
    long start = random.nextInt(60);
    long block = 1 + random.nextInt(random.nextBoolean() ? 1 : 12);
    long count = 1 + random.nextInt(random.nextBoolean() ? 3 : 40);
    if (random.nextInt(8) == 0) {
      return new HyperslabDimension(start, 1, 1, Shape.UNLIMITED);
    }
    boolean endless = random.nextInt(5) == 0;
    long stride = count == 1 && !endless ? 1 : block + 1 + random.nextInt(50);
    return new HyperslabDimension(start, stride, endless ? Shape.UNLIMITED : count, block);
  }

  private static BitSet model(HyperslabDimension blocks) {
    BitSet set = new BitSet();
    if (blocks.block() == Shape.UNLIMITED) {
      set.set((int) blocks.start(), WINDOW);
      return set;
    }
    long count = blocks.count() == Shape.UNLIMITED ? WINDOW : blocks.count();
    for (long b = 0; b < count && blocks.start() + b * blocks.stride() < WINDOW; b++) {
      int from = (int) (blocks.start() + b * blocks.stride());
      set.set(from, (int) Math.min(WINDOW, from + blocks.block()));
    }
    return set;
  }

  @Test
  void queries_of_a_dimension_agree_with_its_elements() {
    for (int round = 0; round < 20_000; round++) {
      HyperslabDimension blocks = any();
      BitSet model = model(blocks);
      int from = random.nextInt(200);
      int to = from + 1 + random.nextInt(60);
      assertEquals(model.get(0, from).cardinality(), blocks.elementsBelow(from), blocks::toString);
      assertEquals(model.get(from), blocks.contains(from));
      assertEquals(!model.get(from, to).isEmpty(), blocks.intersects(from, to));
      if (model.nextSetBit(from) >= 0) {
        assertEquals(model.nextSetBit(from), blocks.firstFrom(from));
      }
      Optional<HyperslabDimension> clipped = blocks.clip(from, to);
      if (clipped.isPresent()) {
        BitSet inside = new BitSet();
        inside.set(from, to);
        inside.and(model);
        assertEquals(inside, model(clipped.get()), () -> blocks + " " + clipped);
      } else {
        assertTrue(model.get(from, to).cardinality() > 1);
      }
    }
  }

  @Test
  void a_regular_intersection_of_two_dimensions_is_exact() {
    int regular = 0;
    int irregular = 0;
    for (int round = 0; round < 60_000; round++) {
      HyperslabDimension a = any();
      HyperslabDimension b = any();
      if (random.nextInt(4) == 0 && a.count() != 1 && b.count() != 1 && a.stride() > b.block()) {
        b = new HyperslabDimension(b.start(), a.stride(), b.count(), b.block());
      }
      HyperslabDimension other = b;
      BitSet both = model(a);
      both.and(model(b));
      assertEquals(!both.isEmpty(), a.intersects(b), () -> a + " " + other);
      assertEquals(!both.isEmpty(), b.intersects(a));
      Optional<HyperslabDimension> common = a.intersect(b);
      if (common.isPresent()) {
        assertEquals(both, model(common.get()), () -> a + " " + other + " " + common);
        assertEquals(
            common.get().isUnlimited(), a.isUnlimited() && b.isUnlimited() && !both.isEmpty());
        regular++;
      } else {
        irregular++;
      }
    }
    assertTrue(regular > 20_000 && irregular > 5_000, regular + " " + irregular);
  }

  @Test
  void dimensions_of_a_billion_blocks_are_compared_without_enumeration() {
    long many = 1L << 40;
    HyperslabDimension even = new HyperslabDimension(0, 6, many, 1);
    HyperslabDimension odd = new HyperslabDimension(3, 6, many, 1);
    assertFalse(even.intersects(odd));
    assertTrue(even.intersects(new HyperslabDimension(3, 5, many, 1)));
    // 10^9 + 7 and 10^9 + 9 are prime: about one index in 10^18 is in both sequences.
    HyperslabDimension slow = new HyperslabDimension(0, 1_000_000_007, Shape.UNLIMITED, 1);
    HyperslabDimension slower = new HyperslabDimension(1, 1_000_000_009, Shape.UNLIMITED, 1);
    HyperslabDimension once = slow.intersect(slower).orElseThrow();
    assertEquals(0, once.start() % 1_000_000_007);
    assertEquals(1, once.start() % 1_000_000_009);
    assertTrue(slow.intersects(slower));
    assertFalse(
        new HyperslabDimension(0, 1_000_000_007, once.start() / 1_000_000_007, 1)
            .intersects(slower));
    assertTrue(
        new HyperslabDimension(0, 1_000_000_007, once.start() / 1_000_000_007 + 1, 1)
            .intersects(slower));
    assertEquals(
        new HyperslabDimension(0, 18, many / 3 + 1, 1),
        even.intersect(new HyperslabDimension(0, 9, many, 1)).orElseThrow());
  }

  @Test
  void blocks_of_equal_size_half_a_stride_apart_have_a_regular_intersection() {
    HyperslabDimension even = new HyperslabDimension(0, 4, Shape.UNLIMITED, 3);
    HyperslabDimension odd = new HyperslabDimension(2, 4, Shape.UNLIMITED, 3);
    HyperslabDimension common = new HyperslabDimension(2, 2, Shape.UNLIMITED, 1);
    assertEquals(Optional.of(common), even.intersect(odd));
    assertEquals(Optional.of(common), odd.intersect(even));
    for (int round = 0; round < 20_000; round++) {
      long half = 1 + random.nextInt(20);
      long block = half + 1 + random.nextInt((int) half);
      if (block >= 2 * half) {
        continue;
      }
      long start = random.nextInt(60);
      HyperslabDimension a = new HyperslabDimension(start, 2 * half, count(), block);
      long shift = half * (2L * random.nextInt(12) + 1);
      HyperslabDimension b = new HyperslabDimension(start + shift, 2 * half, count(), block);
      BitSet both = model(a);
      both.and(model(b));
      assertEquals(both, model(a.intersect(b).orElseThrow()), () -> a + " " + b);
      assertEquals(both, model(b.intersect(a).orElseThrow()), () -> b + " " + a);
    }
  }

  private long count() {
    return random.nextInt(3) == 0 ? Shape.UNLIMITED : 2 + random.nextInt(20);
  }

  @Test
  void the_last_block_of_an_unlimited_number_may_end_beyond_all_coordinates() {
    HyperslabDimension huge = new HyperslabDimension(0, 3L << 61, Shape.UNLIMITED, 1L << 62);
    HyperslabDimension inside = new HyperslabDimension(8_000_000_000_000_000_000L, 2, 2, 1);
    HyperslabDimension between = new HyperslabDimension(5_000_000_000_000_000_000L, 2, 2, 1);
    assertTrue(huge.intersects(inside));
    assertTrue(inside.intersects(huge));
    assertFalse(huge.intersects(between));
    assertFalse(between.intersects(huge));
  }
}
