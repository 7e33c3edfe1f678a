package io.skerry.jobs.detector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RegionFinderTest {
  @Test
  void no_region_of_the_same_size_is_brighter() {
    for (int seed = 0; seed < 80; seed++) {
      var random = new SplittableRandom(seed);
      int rows = 1 + random.nextInt(30);
      int columns = 1 + random.nextInt(30);
      float[] pixels = new float[rows * columns];
      for (int i = 0; i < pixels.length; i++) {
        pixels[i] = random.nextInt(10) == 0 ? Float.NaN : random.nextInt(8);
      }
      PixelFrame frame = Frames.ofFloats(rows, columns, pixels);
      Region found = RegionFinder.find(frame);
      assertEquals(brightest(frame, found.rows(), found.columns()), found, "seed=" + seed);
    }
  }

  @Test
  void a_region_has_a_tenth_of_the_pixels_and_the_proportions_of_the_frame() {
    Region square = RegionFinder.find(Frames.ofFloats(1000, 1000, new float[1000000]));
    assertEquals(new Region(0, 0, 316, 316), square);
    Region tall = RegionFinder.find(Frames.ofFloats(592, 38, new float[592 * 38]));
    assertEquals(0.1, tall.rows() * tall.columns() / (592.0 * 38), 0.005);
    assertEquals(new Region(0, 0, 1, 1), RegionFinder.find(Frames.ofFloats(1, 1, 3)));
    assertEquals(10, RegionFinder.find(Frames.ofFloats(1, 100, new float[100])).columns());
  }

  @Test
  void the_pixels_of_a_region_are_ascending_linear_indices() {
    assertArrayEquals(new int[] {12, 13, 14, 22, 23, 24}, new Region(1, 2, 2, 3).pixels(10));
  }

  private static Region brightest(PixelFrame frame, int rows, int columns) {
    Region best = new Region(0, 0, rows, columns);
    double most = Double.NEGATIVE_INFINITY;
    for (int row = 0; row + rows <= frame.rows(); row++) {
      for (int column = 0; column + columns <= frame.columns(); column++) {
        var region = new Region(row, column, rows, columns);
        double sum = 0;
        for (int pixel : region.pixels(frame.columns())) {
          sum += Float.isNaN(frame.at(pixel)) ? 0 : frame.at(pixel);
        }
        if (sum > most) {
          most = sum;
          best = region;
        }
      }
    }
    return best;
  }
}
