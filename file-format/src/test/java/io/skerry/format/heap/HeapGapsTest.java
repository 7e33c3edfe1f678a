package io.skerry.format.heap;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HeapGapsTest {
  @Test
  void a_range_that_ends_beyond_the_largest_offset_is_in_no_gap() {
    HeapGaps gaps = new HeapGaps();
    gaps.add(16, 100);
    assertFalse(gaps.takeAt(20, Long.MAX_VALUE - 4));
    assertFalse(gaps.takeAt(Long.MAX_VALUE, 1));
    assertFalse(gaps.takeAt(20, 97));
    assertTrue(gaps.takeAt(20, 96));
  }
}
