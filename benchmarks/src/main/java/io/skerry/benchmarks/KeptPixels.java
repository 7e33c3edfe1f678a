package io.skerry.benchmarks;

import io.skerry.chunk.dataspace.RunSet;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A way to choose which pixels of a frame of 1024 × 1024 pixels are kept; the result is a set of
 * row-major indices. Values are uniformly distributed from 20 to 16383, which is the least
 * compressible output of a 14-bit detector.
 */
public enum KeptPixels {
  /** 75 spots, each a row of 8 pixels. */
  ROWS,
  /** 75 round spots of 5 to 10 pixels. */
  ROUND_SPOTS,
  /** Single pixels, 0.1% of the frame. */
  SINGLE_PIXELS,
  /** One square region of about 10% of the frame. */
  REGION,
  /** All pixels. */
  EVERYTHING;

  /** The number of pixels along a side of a frame. */
  public static final int SIDE = 1024;

  private static final int SPOTS = 75;
  private static final int REGION_SIDE = 324;

  /** Returns the kept pixels of one frame. */
  public RunSet draw(RandomGenerator random) {
    return switch (this) {
      case ROWS -> rows(random);
      case ROUND_SPOTS -> roundSpots(random);
      case SINGLE_PIXELS -> scattered(random, 0.001);
      case REGION -> region(random);
      case EVERYTHING -> RunSet.range(0, (long) SIDE * SIDE);
    };
  }

  /** Returns single pixels at random positions that make up the given fraction of the frame. */
  public static RunSet scattered(RandomGenerator random, double density) {
    BitSet pixels = new BitSet(SIDE * SIDE);
    int wanted = (int) Math.round(density * SIDE * SIDE);
    // If most pixels are kept, the omitted pixels are drawn instead.
    boolean most = wanted > SIDE * SIDE / 2;
    int drawn = most ? SIDE * SIDE - wanted : wanted;
    while (pixels.cardinality() < drawn) {
      int missing = drawn - pixels.cardinality();
      random.ints(missing, 0, SIDE * SIDE).forEach(pixels::set);
    }
    if (most) {
      pixels.flip(0, SIDE * SIDE);
    }
    return runs(pixels);
  }

  /** Returns random values for the given number of pixels. */
  public static short[] values(RandomGenerator random, long count) {
    short[] values = new short[Math.toIntExact(count)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (short) random.nextInt(20, 16384);
    }
    return values;
  }

  /** Returns the random generator for a frame, which is the same in every run. */
  public static RandomGenerator random(long frame) {
    return new SplittableRandom(0x5eed + frame);
  }

  private static RunSet rows(RandomGenerator random) {
    BitSet pixels = new BitSet(SIDE * SIDE);
    for (int spot = 0; spot < SPOTS; spot++) {
      int at = random.nextInt(SIDE) * SIDE + random.nextInt(SIDE - 8);
      pixels.set(at, at + 8);
    }
    return runs(pixels);
  }

  /**
   * Returns round spots. Each spot grows from a center: the free neighbor of the spot that is
   * nearest to the center, with some randomness, is added until the spot reaches its size.
   */
  private static RunSet roundSpots(RandomGenerator random) {
    BitSet pixels = new BitSet(SIDE * SIDE);
    for (int spot = 0; spot < SPOTS; spot++) {
      int row = 10 + random.nextInt(SIDE - 20);
      int column = 10 + random.nextInt(SIDE - 20);
      BitSet own = new BitSet();
      own.set(row * SIDE + column);
      int size = 5 + random.nextInt(6);
      while (own.cardinality() < size) {
        own.set(nearest(random, own, row, column));
      }
      pixels.or(own);
    }
    return runs(pixels);
  }

  private static int nearest(RandomGenerator random, BitSet spot, int row, int column) {
    int best = -1;
    double least = Double.MAX_VALUE;
    for (int pixel = spot.nextSetBit(0); pixel >= 0; pixel = spot.nextSetBit(pixel + 1)) {
      for (int step : new int[] {1, -1, SIDE, -SIDE}) {
        int next = pixel + step;
        int y = next / SIDE - row;
        int x = next % SIDE - column;
        double cost = y * y + x * x + 1.5 * random.nextDouble();
        if (!spot.get(next) && cost < least) {
          least = cost;
          best = next;
        }
      }
    }
    return best;
  }

  private static RunSet region(RandomGenerator random) {
    int row = random.nextInt(SIDE - REGION_SIDE);
    int column = random.nextInt(SIDE - REGION_SIDE);
    RunSet.Builder runs = new RunSet.Builder();
    for (int y = row; y < row + REGION_SIDE; y++) {
      long start = (long) y * SIDE + column;
      runs.add(start, start + REGION_SIDE);
    }
    return runs.build();
  }

  private static RunSet runs(BitSet pixels) {
    RunSet.Builder runs = new RunSet.Builder();
    for (int at = pixels.nextSetBit(0); at >= 0; ) {
      int end = pixels.nextClearBit(at);
      runs.add(at, end);
      at = pixels.nextSetBit(end);
    }
    return runs.build();
  }
}
