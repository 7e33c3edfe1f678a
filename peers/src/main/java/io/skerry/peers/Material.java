package io.skerry.peers;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The stored data: a smooth surface with noise, like the data of an instrument. The data is the
 * same in every run.
 *
 * @param name the name of the data, which is part of task names
 * @param step the resolution of the instrument; 0 if the values are not rounded
 */
record Material(String name, float step) {
  /** Values with noise in every mantissa bit; deflate reduces their size by a seventh. */
  static final Material NOISE = new Material("noise", 0);

  /** Integer counts; deflate reduces their size by three quarters. */
  static final Material COUNTS = new Material("counts", 1);

  static final int COLUMNS = 16384;

  /** Fills rows of {@link #COLUMNS} floats. */
  void fill(float[] values) {
    IntStream.range(0, values.length / COLUMNS).parallel().forEach(row -> fillRow(values, row));
  }

  private void fillRow(float[] values, int row) {
    SplittableRandom random = new SplittableRandom(0x5eed + row);
    double slope = Math.sin(row * 0.003);
    for (int column = 0; column < COLUMNS; column++) {
      // The sum of four uniform 16-bit numbers is close enough to a normal distribution.
      long bits = random.nextLong();
      double sum =
          (bits & 0xffff) + (bits >>> 16 & 0xffff) + (bits >>> 32 & 0xffff) + (bits >>> 48);
      double noise = (sum / 65536 - 2) * 1.73;
      double value = 100 + 20 * slope * Math.cos(column * 0.002) + 5 * noise;
      double kept = step == 0 ? value : Math.round(value / step) * step;
      values[row * COLUMNS + column] = (float) kept;
    }
  }

  /**
   * Returns a checksum of 4-byte words that depends on their order and is the same for arrays and
   * native memory.
   */
  static long checksum(MemorySegment words) {
    long a = 0;
    long b = 0;
    long bytes = words.byteSize() & ~3L;
    for (long at = 0; at < bytes; at += 4) {
      a += words.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      b += a;
    }
    return b;
  }
}
