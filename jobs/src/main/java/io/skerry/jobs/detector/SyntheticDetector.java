package io.skerry.jobs.detector;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * Generates frames that resemble those of a serial crystallography run: scattering that decreases
 * with the distance from the beam, shot noise, and {@value #FEWEST_SPOTS} to {@value #MOST_SPOTS}
 * round spots well above the noise (fewer on a small frame). A frame depends only on the seed, its
 * shape and its index, so every rank can generate every frame. Pixels are unsigned 16-bit integers.
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

  /**
   * Creates a generator of the frames of one run.
   *
   * @param frames the number of frames
   * @param rows the number of rows of a frame
   * @param columns the number of columns of a frame
   * @param seed the seed of the random numbers
   * @throws IllegalArgumentException if a parameter other than the seed is below 1, or if a frame
   *     has more pixels than a Java array can hold
   */
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
        // Divided by 4, because the random number below has a standard deviation of 4.
        noise[row * columns + column] = (float) (Math.sqrt(level) / 4);
      }
    }
  }

  /**
   * Writes the pixels of a frame to the beginning of a segment.
   *
   * @param index the index of the frame
   * @param into the segment for the pixels, in row-major order and native byte order
   * @throws IllegalArgumentException if there is no frame with this index, or if the segment is too
   *     small for a frame
   */
  public void frame(long index, MemorySegment into) {
    if (index < 0 || index >= frames) {
      throw new IllegalArgumentException("no such frame: frame=" + index + " frames=" + frames);
    }
    if (into.byteSize() < 2L * background.length) {
      throw new IllegalArgumentException(
          "too little room for a frame: bytes=" + into.byteSize() + " pixels=" + background.length);
    }
    long state = mix(mix(seed) + GOLDEN * index);
    // The beam intensity fluctuates as a function of seed and index.
    float beam = (float) (1 + 0.2 * Math.sin(index * 0.7 + (seed & 7)));
    float spread = (float) Math.sqrt(beam);
    for (int i = 0; i < background.length; i++) {
      // The sum of 64 random bits is nearly normally distributed, and cheap to compute.
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

  /**
   * Mixes 64 bits so that each bit of the input affects all bits of the result: the finalizer of
   * SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
   */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
