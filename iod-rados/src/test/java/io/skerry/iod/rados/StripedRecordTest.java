package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripedRecordTest {
  private static final int LIMIT = 4 << 20;

  @ParameterizedTest
  @CsvSource({
    "0, 4194304, 1",
    "1, 4194304, 1",
    "4194304, 4194304, 1",
    "4194316, 4194316, 1",
    "4198400, 4198400, 1",
    "4198401, 4194304, 2",
    "8388608, 4194304, 2",
    "8388620, 4194310, 2",
    "8392704, 4196352, 2",
    "8392705, 4194304, 3"
  })
  void a_short_rest_is_divided_among_the_objects_of_a_value(long size, int stripe, int objects) {
    assertEquals(stripe, StripedRecord.stripe(size, LIMIT));
    assertEquals(objects, StripedRecord.stripes(size, stripe));
  }

  @Test
  void objects_hold_all_bytes_and_exceed_the_limit_by_a_sixteenth_at_most() {
    for (int limit : new int[] {4096, 5000, 1 << 16}) {
      for (long size = 0; size < 5L * limit; size += 7) {
        int stripe = StripedRecord.stripe(size, limit);
        long objects = StripedRecord.stripes(size, stripe);
        assertTrue(stripe >= limit && stripe <= limit + limit / 16 + 1, size + " " + stripe);
        assertTrue(objects * stripe >= size && (objects - 1) * stripe <= size, size + " " + stripe);
      }
    }
  }
}
