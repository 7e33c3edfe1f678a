package io.skerry.jobs.argument;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SelectionSyntaxTest {
  private static long[] selected(String text, long... extent) {
    Shape shape = Shape.of(extent);
    return SelectionSyntax.parse(text, shape).toCoordinates(shape);
  }

  private static String refusal(String text, long... extent) {
    return String.valueOf(
        assertThrows(
                IllegalArgumentException.class, () -> SelectionSyntax.parse(text, Shape.of(extent)))
            .getMessage());
  }

  @Test
  void an_index_selects_one_element() {
    assertArrayEquals(new long[] {3}, selected("3", 5));
    assertArrayEquals(new long[] {0}, selected("0", 5));
    assertArrayEquals(new long[] {4}, selected(" 4 ", 5));
    assertArrayEquals(new long[] {4}, selected("-1", 5));
    assertArrayEquals(new long[] {0}, selected("-5", 5));
  }

  @Test
  void a_range_excludes_its_end_and_defaults_to_the_extent() {
    assertArrayEquals(new long[] {1, 2}, selected("1:3", 5));
    assertArrayEquals(new long[] {0, 1, 2}, selected(":3", 5));
    assertArrayEquals(new long[] {3, 4}, selected("3:", 5));
    assertArrayEquals(new long[] {0, 1, 2, 3, 4}, selected(":", 5));
    assertArrayEquals(new long[] {3, 4}, selected("-2:", 5));
    assertArrayEquals(new long[] {0, 1, 2, 3}, selected(":-1", 5));
    assertArrayEquals(new long[] {2, 3}, selected("-3:-1", 5));
  }

  @Test
  void a_step_selects_every_nth_element() {
    assertArrayEquals(new long[] {1, 3}, selected("1:5:2", 5));
    assertArrayEquals(new long[] {0, 3}, selected("::3", 5));
    assertArrayEquals(new long[] {4}, selected("4::100", 5));
    assertArrayEquals(new long[] {0, 2, 4}, selected("::2", 5));
    assertArrayEquals(new long[] {0, 1}, selected(":2:", 5));
    assertArrayEquals(new long[] {0}, selected("::999999999999999999", 5));
  }

  @Test
  void an_empty_range_selects_nothing() {
    assertArrayEquals(new long[0], selected("2:2", 5));
    assertArrayEquals(new long[0], selected("5:", 5));
    assertArrayEquals(new long[0], selected(":0", 5));
    assertArrayEquals(new long[0], selected(":", 0));
    assertArrayEquals(new long[0], selected("2:2,:", 5, 4));
    assertArrayEquals(new long[0], selected(":,0:0:3", 5, 4));
  }

  @Test
  void an_error_after_an_empty_range_is_reported() {
    assertEquals(
        "not INDEX, START:END, START:END:STEP or ':': part=x selection=2:2,x",
        refusal("2:2,x", 5, 4));
  }

  @Test
  void dimensions_are_separated_by_commas() {
    assertArrayEquals(new long[] {0, 2, 1, 2}, selected("0:2,-1", 2, 3));
    assertArrayEquals(new long[] {1, 1, 0, 1, 1, 2}, selected("1, 1, ::2", 2, 2, 4));
  }

  @Test
  void text_that_is_not_a_selection_is_refused_with_its_part() {
    for (String text :
        List.of("", "a", "1.5", "1:2:3:4", "--1", "+1", "1:2:-1", "1 2", "1e3", "0x1", "...")) {
      String message = refusal(text, 5);
      assertEquals(
          "not INDEX, START:END, START:END:STEP or ':': part=" + text + " selection=" + text,
          message);
    }
  }

  @Test
  void numbers_that_overflow_a_long_are_refused() {
    assertEquals(
        "not INDEX, START:END, START:END:STEP or ':': part=99999999999999999999"
            + " selection=99999999999999999999",
        refusal("99999999999999999999", 5));
  }

  @Test
  void a_selection_outside_the_extent_is_refused() {
    for (String text : List.of("5", "-6", "0:6", "4:3", "-9:", ":-9", "999999999999999999")) {
      assertEquals(
          "outside the extent: part=" + text + " dimension=1 extent=5", refusal(":," + text, 2, 5));
    }
    assertEquals("outside the extent: part=0 dimension=0 extent=0", refusal("0", 0));
  }

  @Test
  void a_step_of_zero_is_refused() {
    assertEquals("a step must be at least 1: part=0:4:0", refusal("0:4:0", 5));
  }

  @Test
  void a_selection_needs_one_part_per_dimension() {
    assertEquals(
        "a selection needs one part per dimension: selection=:,: parts=2 dimensions=3",
        refusal(":,:", 1, 2, 3));
    assertEquals(
        "a selection needs one part per dimension: selection=:,:, parts=3 dimensions=2",
        refusal(":,:,", 1, 2));
  }

  @Test
  void random_ranges_select_the_same_elements_as_a_loop() {
    Random random = new Random(20);
    for (int round = 0; round < 2000; round++) {
      int extent = 1 + random.nextInt(12);
      int start = random.nextInt(extent + 1);
      int end = start + random.nextInt(extent - start + 1);
      int step = 1 + random.nextInt(5);
      List<Long> expected = new ArrayList<>();
      for (long at = start; at < end; at += step) {
        expected.add(at);
      }
      String from =
          start == 0 || start == extent || random.nextBoolean()
              ? "" + start
              : "" + (start - extent);
      String to =
          end == 0 || end == extent || random.nextBoolean() ? "" + end : "" + (end - extent);
      String text = from + ":" + to + ":" + step;
      assertEquals(
          expected, LongStream.of(selected(text, extent)).boxed().toList(), text + " of " + extent);
    }
  }

  @Test
  void a_selection_is_the_product_of_its_parts() {
    Shape shape = Shape.of(4, 5, 6);
    Selection found = SelectionSyntax.parse("1:,::2,-2:", shape);
    assertEquals(3 * 3 * 2, found.count(shape));
  }
}
