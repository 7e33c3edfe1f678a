package io.skerry.mpi.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FileViewTest {

  @Test
  void empty_blocks_are_dropped() {
    var view = FileView.of(new long[] {5, 7, 9}, new long[] {2, 0, 1});
    assertArrayEquals(new long[] {5, 9}, view.offsets());
    assertArrayEquals(new long[] {2, 1}, view.lengths());
    assertEquals(3, view.totalBytes());
    assertEquals(10, view.end());
    assertSame(FileView.EMPTY, FileView.of(3, 0));
    assertTrue(FileView.of(new long[] {1}, new long[] {0}).isEmpty());
    assertEquals(0, FileView.EMPTY.end());
  }

  @Test
  void the_callers_arrays_are_copied() {
    long[] offsets = {1, 10};
    long[] lengths = {2, 3};
    var view = FileView.of(offsets, lengths);
    offsets[0] = 99;
    view.lengths()[1] = 99;
    assertEquals(FileView.of(new long[] {1, 10}, new long[] {2, 3}), view);
  }

  @Test
  void overlapping_descending_and_out_of_range_blocks_are_refused_with_their_index() {
    assertRefused(new long[] {0, 3}, new long[] {4, 1}, "index=1 offset=3 previousEnd=4");
    assertRefused(new long[] {9, 3}, new long[] {1, 1}, "index=1 offset=3 previousEnd=10");
    assertRefused(new long[] {-1}, new long[] {1}, "index=0 offset=-1 length=1");
    assertRefused(new long[] {1}, new long[] {-1}, "length=-1");
    assertRefused(new long[] {2}, new long[] {Long.MAX_VALUE}, "index=0 offset=2");
    assertRefused(new long[] {2}, new long[] {}, "offsets=1 lengths=0");
    assertThrows(IllegalArgumentException.class, () -> FileView.of(-1, 0));
  }

  private static void assertRefused(long[] offsets, long[] lengths, String part) {
    var e = assertThrows(IllegalArgumentException.class, () -> FileView.of(offsets, lengths));
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }

  @Test
  void the_builder_joins_adjacent_blocks_and_refuses_descending_ones() {
    var builder = FileView.builder().add(0, 4).add(4, 4).add(8, 0).add(100, 1);
    assertEquals(FileView.of(new long[] {0, 100}, new long[] {8, 1}), builder.build());
    assertThrows(IllegalArgumentException.class, () -> builder.add(100, 1));
    assertThrows(IllegalArgumentException.class, () -> builder.add(101, -1));
    assertEquals(102, builder.add(101, 1).build().end());
  }

  @Test
  void slices_of_random_views_address_the_same_bytes_as_the_whole() {
    var random = new Random(7);
    for (int round = 0; round < 300; round++) {
      var builder = FileView.builder();
      var bytes = new ArrayList<Long>();
      long at = 0;
      for (int i = random.nextInt(20); i > 0; i--) {
        at += random.nextInt(4);
        int length = random.nextInt(5);
        builder.add(at, length);
        for (int k = 0; k < length; k++) {
          bytes.add(at + k);
        }
        at += length;
      }
      var view = builder.build();
      assertEquals(bytes, addressed(view));
      int from = random.nextInt(bytes.size() + 1);
      int to = from + random.nextInt(bytes.size() + 2 - from);
      var expected = bytes.subList(from, Math.min(to, bytes.size()));
      assertEquals(expected, addressed(view.slice(from, to)), "round " + round);
    }
  }

  private static List<Long> addressed(FileView view) {
    var bytes = new ArrayList<Long>();
    for (int i = 0; i < view.blocks(); i++) {
      for (long k = 0; k < view.length(i); k++) {
        bytes.add(view.offset(i) + k);
      }
    }
    return bytes;
  }
}
