package io.skerry.mpi.internal.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.file.FileView;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OpenMpiFileTest {
  private static final long GIB = 1L << 30;

  @Test
  void a_view_within_the_limits_stays_in_one_part() {
    var view = FileView.of(new long[] {5 * GIB, 5 * GIB + 100}, new long[] {10, 20});
    assertEquals(List.of(view), OpenMpiFile.parts(view));
    assertEquals(List.of(), OpenMpiFile.parts(FileView.EMPTY));
  }

  @Test
  void parts_of_any_view_are_within_the_limits_and_form_the_view() {
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      var builder = FileView.builder();
      long at = random.nextLong(10 * GIB);
      for (int i = random.nextInt(40); i >= 0; i--) {
        long length = 1 + random.nextLong(1L << random.nextInt(33));
        builder.add(at, length);
        at += length + random.nextLong(1L << random.nextInt(34));
      }
      var view = builder.build();
      var joined = FileView.builder();
      for (var part : OpenMpiFile.parts(view)) {
        int last = part.blocks() - 1;
        assertTrue(part.totalBytes() <= GIB, "bytes, seed " + seed);
        assertTrue(part.offset(last) - part.offset(0) <= Integer.MAX_VALUE, "span, seed " + seed);
        for (int i = 0; i < part.blocks(); i++) {
          joined.add(part.offset(i), part.length(i));
        }
      }
      assertEquals(view, joined.build(), "seed " + seed);
    }
  }
}
