package io.skerry.benchmarks;

import io.skerry.chunk.dataspace.RunSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Random;

/**
 * A synthetic detector frame of 1024 × 1024 u16 pixels, little-endian: a noisy background with 75
 * round spots, and the pixels that a detector job keeps. The bytes are the same in every run.
 */
final class DetectorFrame {
  static final int ROWS = 1024;
  static final int COLUMNS = 1024;
  static final int PIXELS = ROWS * COLUMNS;
  static final int SPOTS = 75;

  static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** The number of rows and of columns in a region of about 10% of the frame. */
  private static final int REGION = 324;

  private final MemorySegment pixels = MemorySegment.ofArray(new byte[PIXELS * 2]);
  private final BitSet spots = new BitSet(PIXELS);

  private DetectorFrame(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < PIXELS; i++) {
      int noise = (int) Math.max(0, 40 + 6 * random.nextGaussian());
      pixels.setAtIndex(U16, i, (short) noise);
    }
    for (int i = 0; i < SPOTS; i++) {
      addSpot(random, 4 + random.nextInt(ROWS - 8), 4 + random.nextInt(COLUMNS - 8));
    }
  }

  /** Returns the frame that the given seed determines. */
  static DetectorFrame of(long seed) {
    return new DetectorFrame(seed);
  }

  /** Adds a disc of 5 or 9 pixels, which is on average brightest at its center. */
  private void addSpot(Random random, int row, int column) {
    int reach = random.nextBoolean() ? 1 : 2;
    for (int y = -1; y <= 1; y++) {
      for (int x = -1; x <= 1; x++) {
        if (y * y + x * x <= reach) {
          int pixel = (row + y) * COLUMNS + column + x;
          int height = (400 + random.nextInt(2000)) / (1 + y * y + x * x);
          pixels.setAtIndex(U16, pixel, (short) (40 + height));
          spots.set(pixel);
        }
      }
    }
  }

  /** Returns all pixels, row-major; the caller must not change them. */
  MemorySegment pixels() {
    return pixels;
  }

  /** Returns the pixels of the spots: about 500 pixels in short runs. */
  RunSet spots() {
    RunSet.Builder runs = new RunSet.Builder();
    for (int at = spots.nextSetBit(0); at >= 0; ) {
      int end = spots.nextClearBit(at);
      runs.add(at, end);
      at = spots.nextSetBit(end);
    }
    return runs.build();
  }

  /** Returns the pixels of a square region of about 10% of the frame. */
  static RunSet region() {
    RunSet.Builder runs = new RunSet.Builder();
    for (int row = 0; row < REGION; row++) {
      long start = (300L + row) * COLUMNS + 200;
      runs.add(start, start + REGION);
    }
    return runs.build();
  }

  /** Returns the packed values of the given pixels. */
  MemorySegment packed(RunSet elements) {
    MemorySegment values = MemorySegment.ofArray(new byte[(int) elements.count() * 2]);
    long at = 0;
    for (int run = 0; run < elements.runs(); run++) {
      long bytes = elements.length(run) * 2;
      MemorySegment.copy(pixels, elements.start(run) * 2, values, at, bytes);
      at += bytes;
    }
    return values;
  }

  /** Returns the index of every element, which is the form that the plain loops use. */
  static int[] indices(RunSet elements) {
    int[] indices = new int[(int) elements.count()];
    int at = 0;
    for (int run = 0; run < elements.runs(); run++) {
      for (long i = elements.start(run); i < elements.end(run); i++) {
        indices[at++] = (int) i;
      }
    }
    return indices;
  }
}
