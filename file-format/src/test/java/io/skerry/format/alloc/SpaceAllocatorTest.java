package io.skerry.format.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
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
      BitSet committed = (BitSet) used.clone();
      BitSet freed = new BitSet();
      List<Block> live = new ArrayList<>();
      List<Block> liveData = new ArrayList<>();
      for (int step = 0; step < 200; step++) {
        boolean data = random.nextBoolean();
        List<Block> blocks = data ? liveData : live;
        switch (random.nextInt(6)) {
          case 0, 1, 2 -> {
            int bytes = 1 + random.nextInt(50);
            Block block = data ? allocator.allocateData(bytes) : allocator.allocateBlock(bytes);
            assertEquals(block, data ? twin.allocateData(bytes) : twin.allocateBlock(bytes));
            int from = (int) block.address();
            assertTrue(used.get(from, from + bytes).isEmpty(), "free before");
            used.set(from, from + bytes);
            blocks.add(block);
          }
          case 3, 4 -> {
            if (!blocks.isEmpty()) {
              Block block = blocks.remove(random.nextInt(blocks.size()));
              for (int at = (int) block.address(); at < block.end(); at++) {
                freed.set(at, committed.get(at));
                used.set(at, committed.get(at));
              }
              free(allocator, block, data);
              free(twin, block, data);
            }
          }
          default -> {
            used.andNot(freed);
            freed.clear();
            committed = (BitSet) used.clone();
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

  private static void free(SpaceAllocator allocator, Block block, boolean data) {
    if (data) {
      allocator.free(Use.DATA, block);
    } else {
      allocator.free(block.address(), block.length());
    }
  }

  /** Checks that the holes are the free bytes of the model, with adjacent ones merged. */
  private static void assertAccounted(SpaceAllocator allocator, BitSet used) {
    BitSet free = new BitSet();
    free.set(0, (int) allocator.endOfFile());
    free.andNot(used);
    BitSet holes = new BitSet();
    for (List<Block> kind : List.of(allocator.holes(), allocator.holes(Use.DATA))) {
      for (int i = 0; i < kind.size(); i++) {
        Block hole = kind.get(i);
        assertTrue(i == 0 || kind.get(i - 1).end() < hole.address(), "neighbors not joined");
        assertTrue(holes.get((int) hole.address(), (int) hole.end()).isEmpty(), "free twice");
        holes.set((int) hole.address(), (int) hole.end());
      }
    }
    assertEquals(free, holes);
  }

  @Test
  void a_freed_block_is_not_reused_before_the_commit() {
    SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    Block first = allocator.allocateBlock(10);
    allocator.allocate(1);
    allocator.commitFrees();
    allocator.free(first);
    assertEquals(11, allocator.allocate(10));
    assertEquals(21, allocator.allocate(1024));
    allocator.commitFrees();
    assertEquals(0, allocator.allocate(10));
  }

  @Test
  void a_block_allocated_since_the_commit_is_reusable_at_once() {
    SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    Block old = allocator.allocateBlock(10);
    allocator.commitFrees();
    Block fresh = allocator.allocateBlock(10);
    allocator.free(new Block(old.address(), old.length() + fresh.length()));
    assertEquals(List.of(fresh), allocator.holes());
    assertEquals(List.of(old), allocator.pendingFrees());
    assertEquals(fresh, allocator.allocateBlock(10));
  }

  @Test
  void metadata_use_part_of_large_data_holes_but_data_use_no_metadata_holes() {
    SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    Block metadata = allocator.allocateBlock(100);
    Block data = allocator.allocateData(160);
    allocator.commitFrees();
    allocator.free(Use.DATA, data);
    allocator.commitFrees();
    assertEquals(160, allocator.freeBytes(Use.DATA));
    assertEquals(260, allocator.allocate(11));
    assertEquals(data.address(), allocator.allocate(10));
    assertEquals(data.address() + 10, allocator.allocateData(150).address());
    allocator.free(metadata);
    allocator.commitFrees();
    assertEquals(271, allocator.allocateData(100).address());
    assertEquals(metadata, allocator.allocateBlock(100));
  }

  @Test
  void a_data_block_of_a_stripe_or_more_at_the_end_begins_at_a_stripe() {
    SpaceAllocator allocator = SpaceAllocator.startingAt(1000);
    allocator.beginAtStripes(4096, 512);
    assertEquals(1000, allocator.allocateData(4095).address());
    assertEquals(5095, allocator.allocate(10_000));
    Block data = allocator.allocateData(5000);
    assertEquals(4 * 4096 - 512, data.address());
    assertEquals(List.of(new Block(15_095, 777)), allocator.holes(Use.DATA));
    assertEquals(15_095, allocator.allocateData(700).address());
  }

  @Test
  void a_block_at_the_end_gets_slack_if_much_of_its_kind_is_free() {
    SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    Block old = allocator.allocateBlock(100);
    allocator.commitFrees();
    allocator.free(old);
    assertEquals(100, allocator.allocate(110));
    assertEquals(List.of(new Block(210, 1024)), allocator.holes());
    assertEquals(1234, allocator.allocateData(10).address());
    assertEquals(1244, allocator.endOfFile());
  }

  @Test
  void the_smallest_hole_that_fits_is_used() {
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
  void a_held_block_is_reused_only_after_its_epoch_is_the_oldest() {
    SpaceAllocator space = SpaceAllocator.startingAt(1000);
    space.free(100, 50);
    space.freeHere(SpaceAllocator.Use.DATA, new Block(300, 50));
    space.holdFrees(1);
    space.free(500, 50);
    space.holdFrees(2);
    assertEquals(150, space.heldBytes());
    assertFalse(space.isTaken(new Block(120, 1)));
    assertThrows(IllegalArgumentException.class, () -> space.free(120, 1));
    Block heldHere = new Block(300, 1);
    assertThrows(FormatException.class, () -> space.freeHere(SpaceAllocator.Use.DATA, heldHere));
    assertEquals(List.of(), space.holes());
    assertEquals(Optional.empty(), space.takeHere(SpaceAllocator.Use.DATA, 50));
    SpaceAllocator copy = space.copy();
    assertEquals(copy, space);
    space.releaseHeld(1);
    assertEquals(List.of(new Block(100, 50)), space.holes());
    assertEquals(Optional.of(new Block(300, 50)), space.takeHere(SpaceAllocator.Use.DATA, 50));
    assertEquals(50, space.heldBytes());
    assertEquals(150, copy.heldBytes());
    space.releaseHeld(5);
    assertEquals(List.of(new Block(100, 50), new Block(500, 50)), space.holes());
    assertEquals(0, space.heldBytes());
  }

  @Test
  void no_epoch_that_may_be_read_loses_a_block() {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      SpaceAllocator space = SpaceAllocator.startingAt(0);
      List<List<Block>> epochs = new ArrayList<>(List.of(List.of()));
      List<Block> live = new ArrayList<>();
      int oldest = 0;
      for (int step = 0; step < 200; step++) {
        if (live.isEmpty() || random.nextInt(3) > 0) {
          Block block = space.allocateBlock(1 + random.nextInt(20));
          for (List<Block> epoch : epochs.subList(oldest, epochs.size())) {
            assertTrue(
                epoch.stream().allMatch(other -> apart(other, block)), block + " of " + epoch);
          }
          live.add(block);
        } else if (random.nextInt(3) > 0) {
          space.free(live.remove(random.nextInt(live.size())));
        } else {
          epochs.add(List.copyOf(live));
          space.holdFrees(epochs.size() - 1);
          oldest += random.nextInt(epochs.size() - oldest);
          space.releaseHeld(oldest);
        }
      }
    }
  }

  private static boolean apart(Block first, Block second) {
    return first.end() <= second.address() || second.end() <= first.address();
  }

  @Test
  void misuse_is_refused() {
    SpaceAllocator allocator = SpaceAllocator.startingAt(100);
    allocator.free(10, 20);
    assertThrows(IllegalArgumentException.class, () -> allocator.free(15, 1));
    Block free = new Block(15, 1);
    assertThrows(FormatException.class, () -> allocator.freeStored(SpaceAllocator.Use.DATA, free));
    assertThrows(FormatException.class, () -> allocator.freeHere(SpaceAllocator.Use.DATA, free));
    assertThrows(IllegalArgumentException.class, () -> allocator.free(5, 6));
    assertThrows(IllegalArgumentException.class, () -> allocator.free(95, 6));
    assertThrows(IllegalArgumentException.class, () -> allocator.allocate(0));
    assertThrows(IllegalArgumentException.class, () -> allocator.raiseEnd(99));
    allocator.raiseEnd(150);
    assertEquals(150, allocator.allocate(1));
    assertFalse(allocator.equals(SpaceAllocator.startingAt(151)));
  }

  /** Each step of a session keeps a copy, so a copy must not repeat the holes. */
  @Test
  void copies_of_an_allocator_with_many_holes_take_little_memory() {
    SpaceAllocator space = SpaceAllocator.startingAt(100_000 * 64);
    for (int i = 0; i < 100_000; i++) {
      space.free(i * 64L, 48);
    }
    space.commitFrees();
    List<SpaceAllocator> copies = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      copies.add(space.copy());
      assertEquals(i * 64L, space.allocate(48));
    }
    for (int i = 0; i < 10_000; i++) {
      assertEquals(i * 64L, copies.get(i).allocate(48));
    }
  }
}
