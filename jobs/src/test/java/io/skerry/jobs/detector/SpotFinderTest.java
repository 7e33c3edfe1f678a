package io.skerry.jobs.detector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SpotFinderTest {
  private final SpotFinder finder = new SpotFinder();

  @Test
  void only_the_planted_spots_are_kept_if_there_are_enough() {
    var planted = new TreeSet<Integer>();
    float[] pixels = noise(300, 300, 1);
    for (int i = 0; i < 64; i++) {
      int center = (20 + 34 * (i / 8)) * 300 + 20 + 34 * (i % 8);
      // Each spot is a cross of five pixels, well above the noise.
      for (int at : new int[] {center, center - 1, center + 1, center - 300, center + 300}) {
        pixels[at] = at == center ? 3000 : 1500 + i;
        planted.add(at);
      }
    }
    Spots spots = finder.find(Frames.ofFloats(300, 300, pixels));
    assertEquals(64, spots.count());
    assertEquals(planted, asSet(spots));
  }

  @Test
  void the_strongest_of_more_than_a_hundred_spots_are_kept() {
    float[] pixels = noise(400, 400, 2);
    for (int i = 0; i < 144; i++) {
      int center = (20 + 32 * (i / 12)) * 400 + 20 + 32 * (i % 12);
      for (int at : new int[] {center, center - 1, center + 1, center - 400, center + 400}) {
        pixels[at] = 1000 + 10 * i;
      }
      pixels[center] += 1000;
    }
    Spots spots = finder.find(Frames.ofFloats(400, 400, pixels));
    assertEquals(100, spots.count());
    int weakestKept = (20 + 32 * (44 / 12)) * 400 + 20 + 32 * (44 % 12);
    int strongestDropped = (20 + 32 * (43 / 12)) * 400 + 20 + 32 * (43 % 12);
    assertTrue(asSet(spots).contains(weakestKept));
    assertFalse(asSet(spots).contains(strongestDropped));
  }

  @Test
  void a_frame_of_noise_yields_fifty_spots() {
    assertEquals(50, finder.find(Frames.ofFloats(200, 200, noise(200, 200, 3))).count());
    float[] faint = new float[200 * 200];
    var random = new SplittableRandom(4);
    for (int i = 0; i < faint.length; i++) {
      faint[i] = random.nextInt(2);
    }
    assertEquals(50, finder.find(Frames.ofFloats(200, 200, faint)).count());
  }

  @Test
  void spots_are_five_to_ten_adjacent_unmasked_pixels() {
    for (int seed = 0; seed < 40; seed++) {
      var random = new SplittableRandom(seed);
      int rows = 1 + random.nextInt(120);
      int columns = 1 + random.nextInt(120);
      float[] pixels = noise(rows, columns, seed);
      for (int i = 0; i < random.nextInt(200); i++) {
        pixels[random.nextInt(pixels.length)] += 50 * random.nextInt(100);
      }
      int masked = random.nextInt(2) * pixels.length / 4;
      for (int i = 0; i < masked; i++) {
        pixels[random.nextInt(pixels.length)] = Float.NaN;
      }
      PixelFrame frame = Frames.ofFloats(rows, columns, pixels);
      Spots spots = finder.find(frame);
      assertTrue(spots.count() <= 100, spots.toString());
      assertEquals(spots.pixels().length, asSet(spots).size(), "a pixel twice, seed=" + seed);
      assertEquals(List.copyOf(asSet(spots)), Arrays.stream(spots.pixels()).boxed().toList());
      int kept = spots.pixels().length;
      assertTrue(kept >= 5 * spots.count() && kept <= 10 * spots.count(), spots.toString());
      for (int pixel : spots.pixels()) {
        assertFalse(Float.isNaN(frame.at(pixel)), "masked, seed=" + seed + " at " + pixel);
      }
      for (int size : patches(asSet(spots), columns)) {
        assertTrue(size >= 5, "seed=" + seed + " patch=" + size);
      }
    }
  }

  @Test
  void equal_frames_give_equal_spots_independent_of_earlier_frames() {
    PixelFrame frame = Frames.ofFloats(64, 64, noise(64, 64, 9));
    Spots first = finder.find(frame);
    finder.find(Frames.ofFloats(200, 90, noise(200, 90, 10)));
    assertEquals(first, finder.find(frame));
    assertEquals(first, new SpotFinder().find(frame));
  }

  @Test
  void frames_without_spots_are_accepted() {
    assertEquals(0, finder.find(Frames.ofFloats(1, 1, 5)).count());
    assertEquals(0, finder.find(Frames.ofFloats(2, 2, 1, 2, 3, 4)).count());
    float[] masked = new float[400];
    Arrays.fill(masked, Float.NaN);
    assertEquals(new Spots(0, new int[0]), finder.find(Frames.ofFloats(20, 20, masked)));
    assertTrue(finder.find(Frames.ofFloats(20, 20, new float[400])).count() <= 1);
  }

  private static float[] noise(int rows, int columns, long seed) {
    var random = new SplittableRandom(seed);
    float[] pixels = new float[rows * columns];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (float) Math.rint(100 + random.nextGaussian(0, 10));
    }
    return pixels;
  }

  private static TreeSet<Integer> asSet(Spots spots) {
    var set = new TreeSet<Integer>();
    for (int pixel : spots.pixels()) {
      set.add(pixel);
    }
    return set;
  }

  /** Returns the sizes of the groups of pixels that touch by a side or a corner. */
  private static List<Integer> patches(TreeSet<Integer> pixels, int columns) {
    var left = new TreeSet<>(pixels);
    var sizes = new ArrayList<Integer>();
    while (!left.isEmpty()) {
      var reached = new ArrayDeque<Integer>();
      reached.add(left.removeFirst());
      int size = 0;
      while (!reached.isEmpty()) {
        int at = reached.remove();
        size++;
        for (int near = 0; near < 9; near++) {
          int column = at % columns + near % 3 - 1;
          int other = (at / columns + near / 3 - 1) * columns + column;
          if (column >= 0 && column < columns && left.remove(other)) {
            reached.add(other);
          }
        }
      }
      sizes.add(size);
    }
    return sizes;
  }
}
