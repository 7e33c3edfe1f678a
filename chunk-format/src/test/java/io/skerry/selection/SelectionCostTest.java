package io.skerry.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.SpanBudget;
import io.skerry.chunk.dataspace.SpanTree;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.space.Allocation;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Limits the cost of selections, measured in spans or in allocated bytes. */
class SelectionCostTest {
  private static final long HUGE = 1L << 40;

  private static List<Box> randomBoxes(int n, long... sizes) {
    Random random = new Random(41);
    List<Box> boxes = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      long[] start = new long[sizes.length];
      long[] end = new long[sizes.length];
      for (int d = 0; d < sizes.length; d++) {
        start[d] = random.nextLong(sizes[d] - 16);
        end[d] = start[d] + 1 + random.nextInt(16);
      }
      boxes.add(new Box(start, end));
    }
    return boxes;
  }

  private static void assertLinearUnion(long... sizes) {
    long[] larger = sizes.clone();
    larger[0] *= 2;
    SpanBudget few = SpanBudget.none();
    SpanBudget many = SpanBudget.none();
    SelectionSets.union(randomBoxes(50_000, sizes), few);
    SpanTree union = SelectionSets.union(randomBoxes(100_000, larger), many);
    assertTrue(many.spent() < 2.5 * few.spent(), few.spent() + " and " + many.spent());
    assertTrue(many.spent() < 8 * union.boxes(), many.spent() + " for " + union.boxes());
  }

  @Test
  void the_union_of_twice_as_many_blocks_at_the_same_density_takes_twice_the_spans() {
    assertLinearUnion(4096, 4096);
    assertLinearUnion(1_000_000, 1_000_000);
    assertLinearUnion(32, 1024, 1024);
    assertLinearUnion(10_000, 10_000, 10_000);
  }

  @Test
  void blocks_covered_by_others_are_removed_early() {
    Random random = new Random(42);
    List<Box> boxes = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      long[] start = {random.nextInt(10_000), random.nextInt(10_000)};
      boxes.add(new Box(start, new long[] {20_000 - start[1], 20_000 - start[0]}));
    }
    SpanBudget budget = SpanBudget.none();
    SelectionSets.union(boxes, budget);
    assertTrue(budget.spent() < 100 * boxes.size(), "spans built: " + budget.spent());
  }

  @Test
  void a_damaged_list_of_crossing_blocks_is_refused_before_it_exhausts_the_memory() {
    Random random = new Random(43);
    int n = 40_000;
    ByteWriter out = ByteWriter.create();
    out.u32(2).u32(3).u8(0).u8(4).u32(2).u32(n);
    for (int i = 0; i < n; i++) {
      int from = random.nextInt(100_000_000);
      int to = 100_000_000 + random.nextInt(100_000_000);
      out.u32(from).u32(4L * i).u32(to).u32(4L * i);
    }
    byte[] bytes = out.toArray();
    assertThrows(
        FormatException.class,
        () ->
            SelectionCodec.decodeSelection(
                ByteReader.of(MemorySegment.ofArray(bytes), "selection")));
  }

  @Test
  void a_pattern_of_very_many_blocks_is_handled_without_enumeration() {
    Hyperslab even = Selection.at(0, 0).stride(2, 2).count(HUGE, HUGE).block(1, 1);
    Hyperslab third = Selection.at(0, 0).stride(3, 3).count(HUGE, HUGE).block(1, 1);
    Selection sixth = even.intersect(third);
    assertTrue(sixth.contains(6, 12));
    assertFalse(sixth.contains(6, 14));
    assertTrue(even.intersects(third));
    Selection odd = Selection.at(1, 0).stride(2, 2).count(HUGE, HUGE).block(1, 1);
    assertFalse(even.intersects(odd));
    assertEquals(Selection.none(), even.intersect(odd));
    Shape extent = Shape.of(2 * HUGE, 1 << 20);
    Hyperslab wide = Selection.at(5, 0).stride(2, 1).count(Shape.UNLIMITED, 1).block(1, 1 << 20);
    assertEquals(HUGE - 2 << 20, wide.count(extent));
    assertEquals(
        Selection.at(5, 0).stride(2, 1).count(HUGE - 2, 1).block(1, 1 << 20), wide.resolve(extent));
    RunIterator runs = wide.runs(extent);
    long[] offsets = new long[3];
    assertEquals(3, runs.next(offsets, new long[3]));
    assertArrayEquals(new long[] {5L << 20, 7L << 20, 9L << 20}, offsets);
  }

  @Test
  void chunks_with_equal_parts_of_a_pattern_share_one_set() {
    Hyperslab comb = Selection.at(0, 0).stride(2, 4).count(5_000, 2_500).block(1, 2);
    Shape extent = Shape.of(10_000, 10_000);
    List<ChunkSlice> slices = ChunkGrid.of(100, 100).cut(comb, extent);
    assertEquals(10_000, slices.size());
    assertSame(slices.getFirst().elements(), slices.get(5_000).elements());
    long each = Allocation.of(() -> ChunkGrid.of(100, 100).cut(comb, extent)) / slices.size();
    assertTrue(each < 1_000, "bytes per chunk: " + each);
  }

  @Test
  void the_cost_of_a_cut_depends_on_the_touched_chunks_only() {
    Shape extent = Shape.of(HUGE, HUGE, HUGE / 4);
    ChunkGrid grid = ChunkGrid.of(1, 10, 100);
    Hyperslab far = Selection.at(3, 5, 7).stride(HUGE / 4, HUGE / 4, HUGE / 16).count(3, 3, 3);
    assertEquals(27, grid.cut(far, extent).size());
    assertTrue(Allocation.of(() -> grid.cut(far, extent)) < 100_000);
    Selection few = far.union(Selection.at(HUGE - 1, HUGE - 1, 0).extent(1, 1, 150));
    List<ChunkSlice> slices = grid.cut(few, extent);
    assertEquals(29, slices.size());
    assertArrayEquals(new long[] {HUGE - 1, (HUGE - 1) / 10, 1}, slices.getLast().scaled());
    assertTrue(Allocation.of(() -> grid.cut(few, extent)) < 100_000);
    Selection points = Selection.points(3, few.toCoordinates(extent));
    List<ChunkSlice> ofPoints = grid.cut(points, extent);
    assertEquals(slices.toString(), ofPoints.toString());
  }

  @Test
  void iterating_over_runs_allocates_nothing_for_a_run() {
    Shape extent = Shape.of(64, 1024, 1024);
    Selection comb = Selection.at(0, 0, 0).stride(1, 2, 4).count(64, 512, 256).block(1, 1, 2);
    Selection blocks = Selection.blocks(randomBoxes(20_000, 64, 1024, 1024));
    Selection points = Selection.points(3, blocks.toCoordinates(extent));
    for (Selection selection : List.of(comb, blocks, points)) {
      RunIterator runs = selection.runs(extent);
      long[] offsets = new long[128];
      long[] lengths = new long[128];
      long bytes =
          Allocation.of(() -> {
            runs.restart();
            long n = 0;
            while (runs.remaining() > 0) {
              n += runs.next(offsets, lengths);
            }
            return n;
          });
      assertTrue(bytes < 10_000, selection + " took bytes=" + bytes);
    }
  }

  @Test
  void a_union_of_crossing_blocks_in_ten_dimensions_builds_few_spans() {
    List<Box> boxes = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      long[] start = new long[10];
      long[] end = new long[10];
      Arrays.fill(start, i);
      Arrays.fill(end, i + 12);
      boxes.add(new Box(start, end));
    }
    SpanBudget budget = SpanBudget.of(1 << 20);
    SpanTree union = SelectionSets.union(boxes, budget);
    assertTrue(budget.spent() < 100_000, "built=" + budget.spent());
    assertTrue(union.contains(new long[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0));
    assertTrue(!union.contains(new long[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 12}, 0));
  }
}
