package io.skerry.selection;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** The pixels that a peak finder selects in a frame of 1024 by 1024 pixels, as points of rank 3. */
public final class DetectorSpots {
  private static final int SIDE = 1024;

  private DetectorSpots() {}

  /** Returns spots of 8 pixels in a row. */
  static Selection rows(Random random, int spots) {
    Set<Integer> pixels = new HashSet<>();
    for (int i = 0; i < spots; i++) {
      int at = random.nextInt(SIDE) * SIDE + random.nextInt(SIDE - 8);
      for (int x = 0; x < 8; x++) {
        pixels.add(at + x);
      }
    }
    return points(pixels);
  }

  /** Returns spots of 5 to 10 pixels that grow from a center pixel. */
  public static Selection round(Random random, int spots) {
    Set<Integer> pixels = new HashSet<>();
    for (int i = 0; i < spots; i++) {
      int middle = (10 + random.nextInt(SIDE - 20)) * SIDE + 10 + random.nextInt(SIDE - 20);
      Set<Integer> spot = new HashSet<>(Set.of(middle));
      int size = 5 + random.nextInt(6);
      while (spot.size() < size) {
        spot.add(nextPixel(random, spot, middle));
      }
      pixels.addAll(spot);
    }
    return points(pixels);
  }

  private static int nextPixel(Random random, Set<Integer> spot, int middle) {
    int best = middle;
    double least = Double.MAX_VALUE;
    for (int pixel : spot) {
      for (int step : new int[] {1, -1, SIDE, -SIDE}) {
        int next = pixel + step;
        int y = next / SIDE - middle / SIDE;
        int x = next % SIDE - middle % SIDE;
        double cost = y * y + x * x + 1.5 * random.nextDouble();
        if (!spot.contains(next) && cost < least) {
          least = cost;
          best = next;
        }
      }
    }
    return best;
  }

  /** Returns single pixels at random positions in the frame. */
  public static Selection singles(Random random, int count) {
    Set<Integer> pixels = new HashSet<>();
    for (int i = 0; i < count; i++) {
      pixels.add(random.nextInt(SIDE * SIDE));
    }
    return points(pixels);
  }

  private static Selection points(Set<Integer> pixels) {
    long[] flat = new long[pixels.size() * 3];
    int at = 0;
    for (int pixel : pixels) {
      flat[at + 1] = pixel / SIDE;
      flat[at + 2] = pixel % SIDE;
      at += 3;
    }
    return Selection.points(3, flat);
  }
}
