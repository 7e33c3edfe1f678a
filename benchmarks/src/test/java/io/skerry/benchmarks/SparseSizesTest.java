package io.skerry.benchmarks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.filter.Filter;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits the size of sparse files, with chunk index and headers, in bytes per value. */
class SparseSizesTest {
  private static final int FRAMES = 64;

  @TempDir Path folder;

  private void assertAtMost(KeptPixels kept, double limit) throws IOException {
    assertAtMost(kept, limit, FRAMES);
  }

  private void assertAtMost(KeptPixels kept, double limit, int frames) throws IOException {
    double each = new SparseSizes(folder, frames).sparse(kept::draw).each();
    System.out.printf("%s: %.4f bytes per value, limit %.4f%n", kept, each, limit);
    assertTrue(each <= limit, kept + ": each=" + each + " limit=" + limit);
  }

  @Test
  void rows_of_eight_take_2_7_bytes_per_value() throws IOException {
    assertAtMost(KeptPixels.ROWS, 2.7);
  }

  @Test
  void round_spots_take_3_7_bytes_per_value() throws IOException {
    assertAtMost(KeptPixels.ROUND_SPOTS, 3.7);
  }

  @Test
  void single_pixels_take_4_7_bytes_per_value() throws IOException {
    assertAtMost(KeptPixels.SINGLE_PIXELS, 4.7);
  }

  @Test
  void a_region_takes_one_percent_more_than_its_values_deflated() throws IOException {
    FilterPipeline pipeline =
        FilterPipeline.of(Filters.shuffle(), Filters.deflate(6))
            .withGrowth(Filter.Growth.SKIPPED)
            .bind(Short.BYTES);
    long values = 0;
    long deflated = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
      RandomGenerator random = KeptPixels.random(frame);
      long count = KeptPixels.REGION.draw(random).count();
      deflated +=
          pipeline
              .apply(MemorySegment.ofArray(KeptPixels.values(random, count)))
              .bytes()
              .byteSize();
      values += count;
    }
    assertAtMost(KeptPixels.REGION, 1.01 * deflated / values);
  }

  @Test
  void fully_defined_frames_take_a_thousandth_more_than_dense_ones() throws IOException {
    double dense = new SparseSizes(folder, 16).dense().each();
    assertAtMost(KeptPixels.EVERYTHING, 1.001 * dense, 16);
  }
}
