package io.skerry.jobs.detector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SyntheticDetectorTest {
  private static final int SIDE = 256;

  @Test
  void a_frame_depends_on_seed_and_index_only() {
    var one = new SyntheticDetector(10, SIDE, SIDE, 42);
    var other = new SyntheticDetector(10, SIDE, SIDE, 42);
    PixelFrame seventh = Frames.synthetic(one, 7, SIDE, SIDE);
    Frames.synthetic(other, 3, SIDE, SIDE);
    assertEquals(seventh, Frames.synthetic(other, 7, SIDE, SIDE));
    assertNotEquals(seventh, Frames.synthetic(one, 6, SIDE, SIDE));
    var reseeded = new SyntheticDetector(10, SIDE, SIDE, 43);
    assertNotEquals(seventh, Frames.synthetic(reseeded, 7, SIDE, SIDE));
  }

  @Test
  void the_background_decreases_from_the_beam_and_has_shot_noise() {
    PixelFrame frame = Frames.synthetic(new SyntheticDetector(1, 512, 512, 1), 0, 512, 512);
    double[] center = statistics(frame, 240);
    double[] corner = statistics(frame, 0);
    assertTrue(center[0] > 3 * corner[0], "center=" + center[0] + " corner=" + corner[0]);
    // The variance of a Poisson process equals its mean; the median deviation ignores the spots.
    assertEquals(Math.sqrt(center[0]), center[1], 0.25 * Math.sqrt(center[0]));
    assertEquals(Math.sqrt(corner[0]), corner[1], 0.25 * Math.sqrt(corner[0]));
  }

  @Test
  void frames_have_fifty_to_a_hundred_spots_that_the_finder_keeps() {
    var detector = new SyntheticDetector(8, 1024, 1024, 5);
    var finder = new SpotFinder();
    for (int i = 0; i < 8; i++) {
      Spots spots = finder.find(Frames.synthetic(detector, i, 1024, 1024));
      assertTrue(spots.count() >= 50 && spots.count() <= 100, spots.toString());
    }
  }

  @Test
  void small_frames_can_be_generated() {
    for (int side : new int[] {1, 2, 7}) {
      PixelFrame frame = Frames.synthetic(new SyntheticDetector(1, side, side, 3), 0, side, side);
      assertTrue(frame.at(side * side - 1) >= 0);
    }
  }

  @Test
  void invalid_frames_and_small_buffers_are_refused() {
    var detector = new SyntheticDetector(2, 4, 4, 1);
    var room = MemorySegment.ofArray(new short[16]);
    assertThrows(IllegalArgumentException.class, () -> detector.frame(2, room));
    assertThrows(IllegalArgumentException.class, () -> detector.frame(-1, room));
    assertThrows(IllegalArgumentException.class, () -> detector.frame(0, room.asSlice(2)));
    assertThrows(IllegalArgumentException.class, () -> new SyntheticDetector(1, 0, 4, 1));
  }

  /**
   * Returns the median, and the standard deviation computed from the median deviation, of 32 x 32
   * pixels on the diagonal.
   */
  private static double[] statistics(PixelFrame frame, int from) {
    double[] pixels =
        IntStream.range(0, 1024)
            .mapToDouble(i -> frame.at((from + i / 32) * frame.columns() + from + i % 32))
            .sorted()
            .toArray();
    double median = pixels[512];
    double[] deviations =
        IntStream.range(0, 1024).mapToDouble(i -> Math.abs(pixels[i] - median)).sorted().toArray();
    return new double[] {median, 1.4826 * deviations[512]};
  }
}
