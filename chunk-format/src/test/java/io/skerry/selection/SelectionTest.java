package io.skerry.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.SpanBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SelectionTest {
  private static final int ROUNDS = 6000;

  private static long[] elements(Selection selection, Shape extent) {
    long[] flat = selection.toCoordinates(extent);
    long[] indices = new long[flat.length / extent.rank()];
    Arrays.setAll(indices, i -> SelectionSamples.index(extent, flat, i * extent.rank()));
    return indices;
  }

  @Test
  void every_form_visits_exactly_its_elements_in_its_order() {
    SelectionSamples samples = new SelectionSamples(1);
    for (int round = 0; round < ROUNDS; round++) {
      Shape extent = samples.extent();
      Selection selection = samples.any(extent);
      long[] expected = SelectionSamples.model(selection, extent);
      assertArrayEquals(expected, elements(selection, extent), selection::toString);
      assertEquals(expected.length, selection.count(extent));
      assertEquals(expected.length == 0, selection.resolve(extent).isEmpty());
      assertBounds(expected, selection, extent);
    }
  }

  private static void assertBounds(long[] expected, Selection selection, Shape extent) {
    if (expected.length == 0) {
      assertTrue(selection.boundingBox(extent).isEmpty());
      return;
    }
    Box box = selection.boundingBox(extent).orElseThrow();
    for (int d = 0; d < extent.rank(); d++) {
      int dimension = d;
      long[] along =
          Arrays.stream(expected)
              .map(i -> SelectionSamples.coordinates(extent, i)[dimension])
              .sorted()
              .toArray();
      assertEquals(along[0], box.start(d));
      assertEquals(along[along.length - 1] + 1, box.end(d));
    }
  }

  @Test
  void a_union_of_blocks_contains_the_elements_of_all_blocks() {
    SelectionSamples samples = new SelectionSamples(7);
    for (int round = 0; round < ROUNDS; round++) {
      Shape extent = samples.extent();
      List<Box> boxes = new ArrayList<>();
      boolean[] expected = new boolean[(int) extent.elements()];
      for (int i = samples.below(7); i > 0; i--) {
        Hyperslab slab = samples.pattern(extent);
        Box box = slab.boundingBox(extent).orElseThrow();
        boxes.add(box);
        for (int e = 0; e < expected.length; e++) {
          long[] at = SelectionSamples.coordinates(extent, e);
          boolean in = true;
          for (int d = 0; d < at.length; d++) {
            in &= box.start(d) <= at[d] && at[d] < box.end(d);
          }
          expected[e] |= in;
        }
      }
      assertSet(expected, Selection.blocks(boxes), extent);
    }
  }

  @Test
  void set_operations_agree_with_arrays_of_booleans_in_ranks_1_to_4() {
    SelectionSamples samples = new SelectionSamples(2);
    for (int round = 0; round < ROUNDS; round++) {
      Shape extent = samples.extent();
      Selection a = samples.any(extent);
      Selection b = samples.any(extent);
      boolean[] left = SelectionSamples.set(SelectionSamples.model(a, extent), extent);
      boolean[] right = SelectionSamples.set(SelectionSamples.model(b, extent), extent);
      Selection all = a instanceof AllSelection ? a.resolve(extent) : a;
      Selection other = b instanceof AllSelection ? b.resolve(extent) : b;
      for (int i = 0; i < left.length; i++) {
        boolean l = left[i];
        left[i] = l && right[i];
        right[i] = l || right[i];
      }
      boolean[] both = left;
      boolean[] either = right;
      assertSet(both, a.intersect(b), extent);
      assertSet(either, a.union(b), extent);
      boolean[] mine = SelectionSamples.set(SelectionSamples.model(a, extent), extent);
      boolean[] onlyMine = new boolean[mine.length];
      boolean[] onlyOne = new boolean[mine.length];
      for (int i = 0; i < mine.length; i++) {
        onlyMine[i] = mine[i] && !both[i];
        onlyOne[i] = either[i] && !both[i];
      }
      assertSet(onlyMine, all.subtract(b), extent);
      assertSet(onlyOne, all.symmetricDifference(other), extent);
    }
  }

  private static void assertSet(boolean[] expected, Selection result, Shape extent) {
    assertArrayEquals(
        expected, SelectionSamples.set(elements(result, extent), extent), result::toString);
    if (!(result instanceof PointList) && !(result instanceof AllSelection)) {
      Selection rebuilt = SelectionSamples.ofModel(expected, extent);
      assertEquals(rebuilt, result, "equal sets are equal values");
      assertEquals(rebuilt.hashCode(), result.hashCode());
    }
  }

  @Test
  void lists_of_points_with_a_common_point_intersect_at_any_distance() {
    long far = Long.MAX_VALUE - 1;
    Selection near = Selection.points(new long[][] {{3, 4}, {9, 9}, {3, 4}, {0, 5}});
    Selection wide = Selection.points(new long[][] {{far, 0}, {7, 7}, {0, far}});
    assertTrue(near.intersects(Selection.points(new long[][] {{8, 1}, {0, 5}})));
    assertFalse(near.intersects(Selection.points(new long[][] {{4, 3}, {5, 0}, {9, 4}})));
    assertFalse(near.intersects(Selection.points(new long[][] {{4, 0}, {20, 20}})));
    assertFalse(near.intersects(wide));
    assertFalse(wide.intersects(near));
    assertTrue(wide.intersects(Selection.points(new long[][] {{7, 7}})));
    assertTrue(wide.intersects(wide.union(near)));
    assertTrue(
        wide.intersects(Selection.points(new long[][] {{1, 1}, {1, 2}, {0, far}, {far, far}})));
    assertFalse(
        wide.intersects(Selection.points(new long[][] {{1, 1}, {far, 1}, {0, 0}, {far, far}})));
  }

  @Test
  void a_list_of_points_keeps_its_order_and_repetitions_when_cut() {
    Selection points = Selection.points(new long[][] {{3, 1}, {0, 0}, {3, 1}, {2, 5}, {0, 1}});
    Selection box = Selection.at(2, 0).extent(2, 4);
    assertEquals(Selection.points(new long[][] {{3, 1}, {3, 1}}), points.intersect(box));
    assertEquals(Selection.points(new long[][] {{0, 0}, {2, 5}, {0, 1}}), points.subtract(box));
    assertEquals(points, points.intersect(Selection.all()));
    assertInstanceOf(Hyperslab.class, box.intersect(points));
  }

  @Test
  void boxes_are_disjoint_and_cover_the_set_in_order_of_their_first_elements() {
    SelectionSamples samples = new SelectionSamples(3);
    for (int round = 0; round < ROUNDS; round++) {
      Shape extent = samples.extent();
      Selection selection = samples.any(extent);
      List<Long> covered = new ArrayList<>();
      long before = -1;
      for (Box box : selection.boxes(extent)) {
        long first = SelectionSamples.index(extent, box.start(), 0);
        assertTrue(first > before);
        before = first;
        for (long i : SelectionSamples.model(Selection.box(box.start(), box.size()), extent)) {
          covered.add(i);
        }
      }
      assertEquals(
          Arrays.stream(SelectionSamples.model(selection, extent))
              .distinct()
              .sorted()
              .boxed()
              .toList(),
          covered.stream().sorted().toList());
    }
  }

  @Test
  void run_sets_and_selections_convert_to_each_other() {
    SelectionSamples samples = new SelectionSamples(4);
    for (int round = 0; round < ROUNDS; round++) {
      Shape extent = samples.extent();
      Selection selection = samples.any(extent);
      RunSet runs = SelectionSets.runs(selection, extent.extent());
      assertEquals(RunSet.ofIndices(SelectionSamples.model(selection, extent)), runs);
      Selection back = SelectionSets.of(runs, extent.extent());
      assertEquals(runs, SelectionSets.runs(back, extent.extent()));
      assertEquals(runs.count() == extent.elements(), back instanceof AllSelection);
      assertFalse(back instanceof PointList);
    }
  }

  @Test
  void a_shift_moves_every_element_and_is_reversible() {
    SelectionSamples samples = new SelectionSamples(5);
    for (int round = 0; round < ROUNDS / 4; round++) {
      Shape extent = samples.extent();
      Selection selection = samples.any(extent).resolve(extent);
      long[] offset = new long[extent.rank()];
      Arrays.setAll(offset, d -> samples.below(5));
      long[] grown = extent.extent();
      Arrays.setAll(grown, d -> extent.extent(d) + offset[d]);
      long[] expected = selection.toCoordinates(extent);
      Arrays.setAll(expected, i -> expected[i] + offset[i % offset.length]);
      Selection moved = selection.shift(offset);
      assertArrayEquals(expected, moved.toCoordinates(Shape.of(grown)));
      long[] back = Arrays.stream(offset).map(o -> -o).toArray();
      assertEquals(selection, moved.shift(back));
    }
  }

  @Test
  void a_shift_below_zero_is_refused_with_dimension_and_coordinate() {
    Selection box = Selection.at(4, 1).extent(2, 2);
    var refused = assertThrows(IllegalArgumentException.class, () -> box.shift(0, -2));
    assertEquals(
        "shift leaves the dataspace: dimension=1 coordinate=1 offset=-2", refused.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> Selection.points(new long[][] {{5, 5}, {4, 1}}).shift(0, -2));
  }

  @Test
  void a_selection_outside_the_extent_is_refused_with_dimension_coordinate_and_extent() {
    Shape extent = Shape.of(10, 8);
    Selection box = Selection.at(0, 4).extent(10, 7);
    var refused = assertThrows(IllegalArgumentException.class, () -> box.checkWithin(extent));
    assertEquals(
        "selection reaches outside the extent: dimension=1 coordinate=10 extent=8",
        refused.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> Selection.points(new long[][] {{0, 0}, {10, 0}}).toCoordinates(extent));
    assertThrows(
        IllegalArgumentException.class, () -> Selection.at(1).extent(2).checkWithin(extent));
  }

  @Test
  void an_unlimited_pattern_ends_at_the_extent_it_is_resolved_against() {
    Hyperslab stripes = Selection.at(3).stride(5).count(Shape.UNLIMITED).block(3);
    assertTrue(stripes.isUnlimited());
    assertArrayEquals(new long[] {3, 4, 5, 8, 9, 10, 13}, stripes.toCoordinates(Shape.of(14)));
    assertEquals(Selection.none(), stripes.resolve(Shape.of(3)));
    assertEquals(Selection.at(8).extent(2), stripes.intersect(Selection.at(6).extent(4)));
    assertThrows(IllegalArgumentException.class, () -> stripes.union(Selection.at(6).extent(4)));
    Hyperslab rest = Selection.at(3).block(Shape.UNLIMITED);
    assertEquals(Selection.at(3).extent(7), rest.resolve(Shape.of(10)));
  }

  @Test
  void all_and_none_need_no_extent_if_the_result_is_exact() {
    Selection box = Selection.at(1, 2).extent(3, 4);
    assertEquals(box, Selection.all().intersect(box));
    assertEquals(Selection.all(), Selection.all().union(box));
    assertEquals(Selection.none(), box.subtract(Selection.all()));
    assertEquals(Selection.all(), Selection.all().subtract(Selection.none()));
    assertThrows(IllegalArgumentException.class, () -> Selection.all().subtract(box));
    assertEquals(Selection.none(), Selection.at(1, 2).extent(0, 4).union(Selection.none()));
  }

  @Test
  void a_scalar_has_one_element_that_is_all_or_none() {
    assertEquals(1, Selection.all().count(Shape.scalar()));
    assertEquals(0, Selection.none().count(Shape.scalar()));
    assertEquals(0, Selection.all().toCoordinates(Shape.scalar()).length);
    int[] visited = {0};
    Selection.all().forEachRun(Shape.scalar(), (start, length) -> visited[0]++);
    assertEquals(1, visited[0]);
  }

  @Test
  void overlapping_and_adjacent_blocks_of_a_pattern_are_one_block() {
    assertEquals(Selection.at(2).extent(9), Selection.at(2).stride(3).count(3).block(3));
    assertEquals(Selection.at(2).extent(8), Selection.at(2).stride(2).count(3).block(4));
    assertTrue(Selection.at(2).stride(2).count(3).block(4).isBox());
  }

  @Test
  void huge_boxes_cost_nothing() {
    long big = 1L << 40;
    Selection box = Selection.at(0, 0).extent(big, 1 << 20);
    Selection hole = Selection.at(5, 5).extent(big - 10, 10);
    Selection frame = box.subtract(hole);
    assertEquals((big << 20) - (big - 10) * 10, frame.count(Shape.of(big, 1 << 20)));
    assertEquals(box, frame.union(hole));
  }

  @Test
  void a_union_of_a_hundred_thousand_blocks_and_a_million_points_takes_little_time() {
    Random random = new Random(6);
    List<Box> boxes = new ArrayList<>();
    long elements = 0;
    for (int i = 0; i < 100_000; i++) {
      long row = i / 10;
      long column = (i % 10) * 100L + random.nextInt(50);
      boxes.add(new Box(new long[] {row, column}, new long[] {row + 1, column + 20}));
      elements += 20;
    }
    Shape extent = Shape.of(10_000, 1000);
    Selection union = Selection.blocks(boxes);
    assertEquals(elements, union.count(extent));
    long[] flat = new long[2_000_000];
    for (int i = 0; i < flat.length; i += 2) {
      flat[i] = random.nextInt(10_000);
      flat[i + 1] = random.nextInt(1000);
    }
    Selection points = Selection.points(2, flat);
    long inside = points.intersect(union).count(extent);
    long outside = points.subtract(union).count(extent);
    assertEquals(1_000_000, inside + outside);
    assertEquals(
        union.count(extent) + SelectionSets.runs(points.subtract(union), extent.extent()).count(),
        points.union(union).count(extent));
  }

  @Test
  void a_hyperslab_of_many_empty_blocks_is_printed() {
    Selection empty = Selection.at(5).stride(4).block(0).count(Long.MAX_VALUE);
    assertEquals("[5:5:4x0]", empty.toString());
  }

  @Test
  void two_unlimited_hyperslabs_with_a_regular_intersection_need_no_extent() {
    Hyperslab even = Selection.at(0).stride(4).count(Shape.UNLIMITED).block(3);
    Hyperslab odd = Selection.at(2).stride(4).count(Shape.UNLIMITED).block(3);
    Selection common = Selection.at(2).stride(2).count(Shape.UNLIMITED);
    assertEquals(common, even.intersect(odd));
    assertEquals(common, odd.intersect(even));
    Hyperslab wide = Selection.at(0).stride(5).count(Shape.UNLIMITED).block(4);
    assertThrows(IllegalArgumentException.class, () -> wide.intersect(wide.shift(2)));
  }

  @Test
  void an_extent_with_a_size_of_zero_has_no_elements_whatever_its_other_sizes() {
    long much = 1L << 40;
    for (Shape shape :
        List.of(Shape.of(much, much, 0), Shape.of(much, 0, much), Shape.of(0, much, much))) {
      assertEquals(0, shape.elements());
      shape.requireCountable();
    }
    Hyperslab box = Selection.at(0, 0, 0).extent(much, much, 5);
    assertEquals(0, SelectionSets.elementsWithin(box, new long[] {much, much, 0}));
    assertThrows(
        ArithmeticException.class,
        () -> SelectionSets.elementsWithin(box, new long[] {much, much, 1}));
  }

  @Test
  void a_box_of_more_than_2_to_the_63_elements_has_no_row_major_indices() {
    long much = 1L << 40;
    Selection point = Selection.points(2, new long[] {much - 1, much - 1});
    assertThrows(ArithmeticException.class, () -> SelectionSets.runs(point, much, much));
    List<Box> boxes = List.of(new Box(new long[2], new long[] {much, much}));
    assertThrows(ArithmeticException.class, () -> SelectionSets.union(boxes, SpanBudget.none()));
  }

  @Test
  void a_coordinate_of_a_missing_point_or_dimension_is_refused() {
    PointList points =
        assertInstanceOf(PointList.class, Selection.points(2, new long[] {1, 2, 3, 4}));
    assertEquals(4, points.coordinate(1, 1));
    for (int[] at : new int[][] {{2, 0}, {-1, 3}, {0, 2}, {1, -1}, {Integer.MIN_VALUE, 0}}) {
      assertThrows(IndexOutOfBoundsException.class, () -> points.coordinate(at[0], at[1]));
    }
  }
}
