package io.skerry.collective.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.mpi.LocalRanks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private record Result(List<Block> blocks, List<Block> unused, SpaceAllocator space) {}

  private static Result place(
      io.skerry.mpi.Communicator world, long[] sizes, SpaceAllocator space) {
    Placement placed = Placement.of(world, Use.DATA, sizes, 0, space);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      blocks.add(new Block(placed.addresses()[i], sizes[i]));
    }
    return new Result(blocks, placed.unused(), space);
  }

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
                return place(world, sizes, SpaceAllocator.startingAt(start));
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
        assertEquals(at, result.space().endOfFile(), "the same end on every rank, seed " + seed);
      }
    }
  }

  @Test
  void images_are_placed_in_holes_or_at_the_end_and_unused_blocks_are_returned() {
    for (int seed = 0; seed < 200; seed++) {
      int ranks = 1 + seed % 5;
      long base = seed;
      List<Result> results =
          LocalRanks.call(
              ranks,
              world -> {
                Random random = new Random(base * 31L + world.rank());
                long[] sizes = random.longs(random.nextInt(9), 1, 300).toArray();
                return place(world, sizes, holes(new Random(base)));
              });
      SpaceAllocator before = holes(new Random(base));
      List<Block> all = new ArrayList<>();
      for (Result result : results) {
        all.addAll(result.blocks());
        all.addAll(result.unused());
        assertEquals(results.getFirst().space(), result.space(), "seed " + seed);
      }
      all.addAll(results.getFirst().space().holes(Use.DATA));
      all.addAll(results.getFirst().space().pendingFrees());
      all.sort(Comparator.comparingLong(Block::address));
      long covered = 0;
      for (int i = 0; i < all.size(); i++) {
        Block block = all.get(i);
        assertTrue(i == 0 || all.get(i - 1).end() <= block.address(), "overlap, seed " + seed);
        boolean free =
            block.address() >= before.endOfFile()
                || before.holes(Use.DATA).stream()
                    .anyMatch(h -> h.address() <= block.address() && block.end() <= h.end());
        assertTrue(free, "not free before: " + block + " seed " + seed);
        covered += block.length();
      }
      long end = results.getFirst().space().endOfFile();
      long holes = before.holes(Use.DATA).stream().mapToLong(Block::length).sum();
      assertEquals(holes + end - before.endOfFile(), covered, "lost space, seed " + seed);
    }
  }

  private static SpaceAllocator holes(Random random) {
    SpaceAllocator space = SpaceAllocator.startingAt(10_000);
    for (long at = 0; at < 9000; at += 1000) {
      space.free(Use.DATA, new Block(at, 1 + random.nextInt(900)));
    }
    space.commitFrees();
    return space;
  }

  @Test
  void images_as_large_as_a_hole_fill_the_hole() {
    LocalRanks.run(
        3,
        world -> {
          SpaceAllocator space = SpaceAllocator.startingAt(1000);
          space.free(Use.DATA, new Block(100, 600));
          space.commitFrees();
          Result result = place(world, new long[] {120, 80}, space);
          assertEquals(1000, space.endOfFile());
          assertEquals(List.of(), result.unused());
          assertEquals(100 + world.rank() * 200L, result.blocks().getFirst().address());
        });
  }

  @Test
  void images_that_replace_others_reserve_space_at_the_end() {
    LocalRanks.run(
        2,
        world -> {
          SpaceAllocator space = SpaceAllocator.startingAt(1000);
          Placement placed = Placement.of(world, Use.DATA, new long[] {4000}, 4000, space);
          assertEquals(1000 + world.rank() * 4000L, placed.addresses()[0]);
          assertEquals(13_000, space.endOfFile());
          assertEquals(List.of(new Block(9000, 4000)), space.holes(Use.DATA));
        });
  }

  @Test
  void adjacent_free_blocks_are_joined() {
    FreeBlocks free = new FreeBlocks();
    free.free(Use.DATA, new Block(100, 50));
    free.free(Use.DATA, new Block(200, 50));
    FreeBlocks copy = free.copy();
    free.free(Use.DATA, new Block(150, 50));
    free.free(Use.HEAP, new Block(250, 50));
    assertEquals(List.of(new Block(100, 150)), free.drain(Use.DATA, 5));
    assertEquals(List.of(new Block(250, 50)), free.drain(Use.HEAP, 5));
    assertEquals(0, free.bytes(Use.DATA));
    assertEquals(100, copy.bytes(Use.DATA));
    assertEquals(List.of(), copy.drain(Use.DATA, 0));
    assertEquals(List.of(new Block(100, 50)), copy.drain(Use.DATA, 1));
    assertEquals(50, copy.bytes(Use.DATA));
  }

  @Test
  void a_write_of_a_stripe_or_more_begins_at_a_stripe_and_leaves_a_hole_before_it() {
    for (long base : new long[] {0, 512, 5000}) {
      List<Result> results =
          LocalRanks.call(
              3,
              world -> {
                SpaceAllocator space = SpaceAllocator.startingAt(1000);
                space.beginAtStripes(4096, base);
                Result few = place(world, new long[] {1300}, space);
                assertEquals(1000 + 1300L * world.rank(), few.blocks().getFirst().address());
                Result many = place(world, new long[] {1400, 1400}, space.copy());
                assertEquals(4900, space.endOfFile());
                return many;
              });
      long start = results.getFirst().blocks().getFirst().address();
      assertEquals(0, (start + base) % 4096, "base=" + base);
      assertTrue(start >= 4900 && start < 4900 + 4096);
      for (int rank = 0; rank < 3; rank++) {
        SpaceAllocator space = results.get(rank).space();
        assertEquals(start + 2800L * rank, results.get(rank).blocks().getFirst().address());
        assertEquals(start + 3 * 2800, space.endOfFile());
        assertEquals(
            start == 4900 ? List.of() : List.of(new Block(4900, start - 4900)),
            space.holes(Use.DATA));
      }
    }
  }

  @Test
  void a_rank_fills_the_holes_that_only_it_knows_before_the_shared_holes() {
    List<Result> results =
        LocalRanks.call(
            2,
            world -> {
              SpaceAllocator space = SpaceAllocator.startingAt(10_000);
              space.free(Use.DATA, new Block(5000, 100));
              if (world.rank() == 1) {
                space.freeHere(Use.DATA, new Block(1000, 150));
                space.freeHere(Use.DATA, new Block(2000, 60));
              }
              space.commitFrees();
              return place(world, new long[] {50, 100}, space);
            });
    List<Block> first = results.getFirst().blocks();
    List<Block> second = results.getLast().blocks();
    assertEquals(List.of(new Block(1100, 50), new Block(1000, 100)), second);
    assertTrue(first.contains(new Block(5000, 100)), first.toString());
    assertEquals(results.getFirst().space(), results.getLast().space());
    assertEquals(List.of(new Block(2000, 60)), results.getLast().space().holesHere(Use.DATA));
  }
}
