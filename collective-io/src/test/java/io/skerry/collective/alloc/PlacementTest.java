package io.skerry.collective.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.Block;
import io.skerry.mpi.LocalRanks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private record Result(List<Block> blocks, long end) {}

  @Test
  void images_of_all_ranks_fill_the_end_of_the_file_without_gap_or_overlap() {
    for (int seed = 0; seed < 50; seed++) {
      int ranks = 1 + seed % 7;
      long start = 1000 + seed;
      int base = seed;
      List<Result> results =
          LocalRanks.call(
              ranks,
              world -> {
                Random random = new Random(base * 31L + world.rank());
                long[] sizes = random.longs(random.nextInt(6), 1, 5000).toArray();
                Placement placed = Placement.of(world, sizes, new FreeBlocks(), start);
                List<Block> blocks = new ArrayList<>();
                for (int i = 0; i < sizes.length; i++) {
                  blocks.add(new Block(placed.addresses()[i], sizes[i]));
                }
                return new Result(blocks, placed.endOfFile());
              });
      List<Block> all =
          results.stream()
              .flatMap(r -> r.blocks().stream())
              .sorted(Comparator.comparingLong(Block::address))
              .toList();
      long at = start;
      for (Block block : all) {
        assertEquals(at, block.address(), "seed " + seed);
        at = block.end();
      }
      for (Result result : results) {
        assertEquals(at, result.end(), "every rank must know the same end, seed " + seed);
      }
    }
  }

  @Test
  void a_rank_uses_its_own_free_blocks_before_the_end_of_the_file() {
    LocalRanks.run(
        2,
        world -> {
          FreeBlocks free = new FreeBlocks();
          if (world.rank() == 1) {
            free.free(new Block(500, 100));
            free.commit();
          }
          Placement placed = Placement.of(world, new long[] {80, 40}, free, 1000);
          if (world.rank() == 0) {
            assertEquals(
                List.of(1000L, 1080L), List.of(placed.addresses()[0], placed.addresses()[1]));
          } else {
            // 80 fit into the hole, of which 20 stay: too few for the 40.
            assertEquals(
                List.of(500L, 1120L), List.of(placed.addresses()[0], placed.addresses()[1]));
            assertEquals(20, free.usableBytes());
          }
          assertEquals(1160, placed.endOfFile());
        });
  }

  @Test
  void a_freed_block_is_not_used_before_the_commit() {
    FreeBlocks free = new FreeBlocks();
    free.free(new Block(500, 100));
    assertEquals(OptionalLong.empty(), free.take(10));
    free.commit();
    assertEquals(OptionalLong.of(500), free.take(10));
  }

  @Test
  void neighbouring_free_blocks_become_one() {
    FreeBlocks free = new FreeBlocks();
    free.free(new Block(100, 50));
    free.free(new Block(200, 50));
    free.free(new Block(150, 50));
    free.commit();
    assertEquals(OptionalLong.of(100), free.take(150));
    assertEquals(0, free.usableBytes());
  }

  @Test
  void a_copy_of_the_free_blocks_does_not_change_the_original() {
    FreeBlocks free = new FreeBlocks();
    free.free(new Block(100, 50));
    free.commit();
    assertTrue(free.copy().take(50).isPresent());
    assertEquals(50, free.usableBytes());
  }
}
