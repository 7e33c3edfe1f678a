package io.skerry.format.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.Block;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpaceAllocatorTest {

  @Test
  void blocks_never_overlap_and_equal_calls_give_equal_addresses() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      SpaceAllocator allocator = SpaceAllocator.startingAt(random.nextInt(100));
      SpaceAllocator twin = allocator.copy();
      BitSet used = new BitSet();
      used.set(0, (int) allocator.endOfFile());
      List<Block> live = new ArrayList<>();
      for (int step = 0; step < 200; step++) {
        switch (random.nextInt(6)) {
          case 0, 1, 2 -> {
            int bytes = 1 + random.nextInt(50);
            Block block = allocator.allocateBlock(bytes);
            assertEquals(block, twin.allocateBlock(bytes));
            int from = (int) block.address();
            assertTrue(used.get(from, from + bytes).isEmpty(), "free before");
            used.set(from, from + bytes);
            live.add(block);
          }
          case 3, 4 -> {
            if (!live.isEmpty()) {
              Block block = live.remove(random.nextInt(live.size()));
              allocator.free(block);
              twin.free(block.address(), block.length());
            }
          }
          default -> {
            for (Block block : allocator.pendingFrees()) {
              used.clear((int) block.address(), (int) block.end());
            }
            allocator.commitFrees();
            twin.commitFrees();
          }
        }
        assertEquals(twin, allocator);
        assertEquals(allocator, allocator.copy());
        assertAccounted(allocator, used);
      }
    }
  }

  /** Holes are what the model has free, joined with their neighbours. */
  private static void assertAccounted(SpaceAllocator allocator, BitSet used) {
    BitSet free = new BitSet();
    free.set(0, (int) allocator.endOfFile());
    free.andNot(used);
    List<Block> expected = new ArrayList<>();
    for (int from = free.nextSetBit(0); from >= 0; ) {
      int to = free.nextClearBit(from);
      expected.add(new Block(from, to - from));
      from = free.nextSetBit(to);
    }
    assertEquals(expected, allocator.holes());
  }

  @Test
  void a_freed_block_is_not_reused_before_the_commit() {
    SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    Block first = allocator.allocateBlock(10);
    allocator.allocate(1);
    allocator.free(first);
    assertEquals(11, allocator.allocate(10));
    allocator.commitFrees();
    assertEquals(0, allocator.allocate(10));
  }

  @Test
  void the_smallest_hole_that_fits_is_taken() {
    SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    Block large = allocator.allocateBlock(20);
    allocator.allocate(1);
    Block small = allocator.allocateBlock(8);
    allocator.allocate(1);
    allocator.free(large);
    allocator.free(small);
    allocator.commitFrees();
    assertEquals(small.address(), allocator.allocate(7));
    assertEquals(large.address(), allocator.allocate(20));
    assertEquals(List.of(new Block(28, 1)), allocator.holes());
  }

  @Test
  void misuse_is_refused() {
    SpaceAllocator allocator = SpaceAllocator.startingAt(100);
    allocator.free(10, 20);
    assertThrows(IllegalArgumentException.class, () -> allocator.free(15, 1));
    assertThrows(IllegalArgumentException.class, () -> allocator.free(5, 6));
    assertThrows(IllegalArgumentException.class, () -> allocator.free(95, 6));
    assertThrows(IllegalArgumentException.class, () -> allocator.allocate(0));
    assertThrows(IllegalArgumentException.class, () -> allocator.raiseEnd(99));
    allocator.raiseEnd(150);
    assertEquals(150, allocator.allocate(1));
    assertFalse(allocator.equals(SpaceAllocator.startingAt(151)));
  }
}
