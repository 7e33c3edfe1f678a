package io.skerry.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests values of array types. */
class ArrayValueTest {
  private static final Value ONE = new Value.Whole(BigInteger.ONE);

  @Test
  void an_array_is_printed_row_by_row() {
    assertEquals("[[1, 1, 1], [1, 1, 1]]", array(6, 2, 3).toString());
    assertEquals("[1]", array(1, 1).toString());
  }

  @Test
  void an_array_whose_dimensions_do_not_match_its_elements_is_refused() {
    refuse(5, 2, 3);
    refuse(7, 2, 3);
    refuse(0, 2);
    refuse(0, 0);
    refuse(1, -1, -1);
    refuse(0, 1 << 16, 1 << 16, 1 << 16, 1 << 16);
    refuse(1);
  }

  private static void refuse(int elements, Integer... dimensions) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> array(elements, dimensions));
    assertEquals(
        "elements of an array value: dimensions=" + List.of(dimensions) + " elements=" + elements,
        e.getMessage());
  }

  private static Value array(int elements, Integer... dimensions) {
    return new Value.Array(List.of(dimensions), Collections.nCopies(elements, ONE));
  }
}
