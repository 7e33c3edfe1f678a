package io.skerry.jobs.detector;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * Makes frames that look like those of a serial crystallography run: scattering that falls off from
 * the beam, shot noise, and {@value #FEWEST_SPOTS} to {@value #MOST_SPOTS} round spots well above
 * it (fewer on a frame too small for them). A frame depends on nothing but seed, shape and its
 * index, so any rank can make any frame. Pixels are unsigned 16-bit numbers.
 */
public final class SyntheticDetector {
  static final int FEWEST_SPOTS = 50;
  static final int MOST_SPOTS = 100;
  private static final int PIXELS_PER_SPOT = 256;
  private static final int SPOT_RADIUS = 3;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final long frames;
  private final int rows;
  private final int columns;
  private final long seed;
  private final float[] background;
  private final float[] noise;

  /** A run of {@code frames} frames of {@code rows} × {@code columns} pixels. */
  public SyntheticDetector(long frames, int rows, int columns, long seed) {
    if (frames < 1 || rows < 1 || columns < 1 || (long) rows * columns > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "no such run: frames=%d rows=%d columns=%d".formatted(frames, rows, columns));
    }
    this.frames = frames;
    this.rows = rows;
    this.columns = columns;
    this.seed = seed;
    background = new float[rows * columns];
    noise = new float[rows * columns];
    double reach = 0.35 * Math.max(rows, columns);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        double distance = Math.hypot(row - rows / 2.0, column - columns / 2.0) / reach;
        double ring = Math.exp(-16 * (distance - 1) * (distance - 1));
        double level = 12 + 140 * Math.exp(-distance * distance) + 25 * ring;
        background[row * columns + column] = (float) level;
        // A quarter, because the noise below has a standard deviation of 4.
        noise[row * columns + column] = (float) (Math.sqrt(level) / 4);
      }
    }
  }

  /** Writes the pixels of frame {@code index}, in row-major order, to the start of {@code into}. */
  public void frame(long index, MemorySegment into) {
    if (index < 0 || index >= frames) {
      throw new IllegalArgumentException("no such frame: frame=" + index + " frames=" + frames);
    }
    if (into.byteSize() < 2L * background.length) {
      throw new IllegalArgumentException(
          "too little room for a frame: bytes=" + into.byteSize() + " pixels=" + background.length);
    }
    long state = mix(mix(seed) + GOLDEN * index);
    // The beam flickers slowly: the same course for all who know the seed and the index.
    float beam = (float) (1 + 0.2 * Math.sin(index * 0.7 + (seed & 7)));
    float spread = (float) Math.sqrt(beam);
    for (int i = 0; i < background.length; i++) {
      // 64 coin tosses: a good bell curve, and far cheaper than one.
      int tosses = Long.bitCount(mix(state + GOLDEN * i)) - 32;
      float level = background[i] * beam + noise[i] * spread * tosses + 0.5f;
      into.set(JAVA_SHORT_UNALIGNED, 2L * i, (short) Math.max(0, (int) level));
    }
    addSpots(new SplittableRandom(~state), into);
  }

  private void addSpots(SplittableRandom random, MemorySegment into) {
    int wanted = FEWEST_SPOTS + random.nextInt(MOST_SPOTS - FEWEST_SPOTS + 1);
    int spots = Math.min(wanted, Math.max(1, background.length / PIXELS_PER_SPOT));
    for (int spot = 0; spot < spots; spot++) {
      double row = random.nextDouble(rows);
      double column = random.nextDouble(columns);
      double height = 600 * Math.exp(random.nextDouble(3.5));
      double width = 0.7 + random.nextDouble(0.4);
      int top = Math.max(0, (int) row - SPOT_RADIUS);
      int bottom = Math.min(rows - 1, (int) row + SPOT_RADIUS);
      int left = Math.max(0, (int) column - SPOT_RADIUS);
      int right = Math.min(columns - 1, (int) column + SPOT_RADIUS);
      for (int r = top; r <= bottom; r++) {
        for (int c = left; c <= right; c++) {
          double square =
              (r + 0.5 - row) * (r + 0.5 - row) + (c + 0.5 - column) * (c + 0.5 - column);
          double added = height * Math.exp(-square / (2 * width * width));
          long at = 2L * (r * columns + c);
          int pixel = (into.get(JAVA_SHORT_UNALIGNED, at) & 0xffff) + (int) added;
          into.set(JAVA_SHORT_UNALIGNED, at, (short) Math.min(0xffff, pixel));
        }
      }
    }
  }

  /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the input reaches all. */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
