package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChunkAlignedBlocksTest {
  private static List<Selection> parts(Shape shape, List<Long> chunk, Selection asked) {
    List<Selection> parts = new ArrayList<>();
    new ChunkAlignedBlocks(shape, chunk, 12).forEach(asked, parts::add);
    return parts;
  }

  @Test
  void the_parts_of_a_selection_are_complete_ordered_and_within_the_limit() {
    Shape shape = Shape.of(7, 9, 5);
    for (Selection asked :
        List.of(
            Selection.all(),
            Selection.none(),
            Selection.at(3, 4, 1).extent(2, 5, 4),
            Selection.points(new long[][] {{6, 8, 4}, {0, 1, 2}}))) {
      for (List<Long> chunk : List.of(List.<Long>of(), List.of(2L, 4L, 3L))) {
        Selection whole = Selection.none();
        for (Selection part : parts(shape, chunk, asked)) {
          assertEquals(0, part.intersect(whole).count(shape));
          assertEquals(true, part.count(shape) <= 12);
          whole = whole.union(part);
        }
        assertEquals(asked.count(shape), whole.count(shape));
        assertEquals(asked.count(shape), whole.intersect(asked).count(shape));
      }
    }
    assertEquals(1, parts(Shape.scalar(), List.of(), Selection.all()).size());
  }

  @Test
  void a_part_intersects_a_limited_number_of_chunks_of_any_size() {
    Shape shape = Shape.of(40, 1000, 30);
    for (List<Long> chunk : List.of(List.of(1L, 1L, 1L), List.of(16L, 1L, 4L))) {
      ChunkGrid grid = ChunkGrid.of(chunk.stream().mapToLong(Long::longValue).toArray());
      long[] seen = {0};
      new ChunkAlignedBlocks(shape, chunk, Long.MAX_VALUE, 100)
          .forEach(part -> {
            assertTrue(grid.cut(part, shape).size() <= 100, () -> part + " in " + chunk);
            seen[0] += part.count(shape);
          });
      assertEquals(shape.elements(), seen[0]);
    }
  }

  @Test
  void a_chunk_without_elements_is_refused() {
    Shape shape = Shape.of(4, 6);
    assertThrows(
        IllegalArgumentException.class, () -> new ChunkAlignedBlocks(shape, List.of(2L, 0L), 12));
  }

  @Test
  void a_limit_of_no_chunks_counts_as_one_chunk() {
    List<Selection> parts = new ArrayList<>();
    new ChunkAlignedBlocks(Shape.of(4, 6), List.of(2L, 3L), Long.MAX_VALUE, 0).forEach(parts::add);
    // Each part is one row of one chunk. A part with complete rows would intersect two chunks.
    assertEquals(8, parts.size(), parts.toString());
  }

  @Test
  void one_element_of_a_huge_extent_is_one_part() {
    Shape shape = Shape.of(1L << 40, 1L << 20);
    Selection one = Selection.at(1L << 39, 77).extent(1, 1);
    assertEquals(1, parts(shape, List.of(), one).size());
    assertEquals(1, parts(shape, List.of(10L, 10L), one).size());
    assertEquals(0, parts(shape, List.of(), Selection.none()).size());
  }
}
