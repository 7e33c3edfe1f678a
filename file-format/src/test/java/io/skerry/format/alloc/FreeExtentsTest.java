package io.skerry.format.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.format.block.Block;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FreeExtentsTest {
  private static Block from(long start, long stop) {
    return new Block(start, stop - start);
  }

  private static FreeExtents of(Block... blocks) {
    FreeExtents extents = FreeExtents.none();
    for (Block block : blocks) {
      extents.add(block);
    }
    return extents;
  }

  @Test
  void taking_a_block_removes_every_extent_that_it_overlaps() {
    FreeExtents extents = of(from(0, 10), from(12, 18), from(20, 30));
    List<Block> taken = extents.take(from(5, 25));
    assertEquals(
        List.of(from(5, 10), from(12, 18), from(20, 25)), taken.stream().sorted().toList());
    assertEquals(List.of(from(0, 5), from(25, 30)), extents.list());
    assertEquals(Optional.empty(), extents.smallest(6));
  }

  @Test
  void taking_the_middle_of_an_extent_leaves_both_ends() {
    FreeExtents extents = of(from(0, 10), from(20, 30));
    assertEquals(List.of(from(23, 26)), extents.take(from(23, 26)));
    assertEquals(List.of(from(0, 10), from(20, 23), from(26, 30)), extents.list());
  }
}
