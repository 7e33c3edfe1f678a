package io.skerry.jobs.detector;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The intensities of one frame in row-major order, used to select pixels. Pixels of any type are
 * converted to single precision, which is sufficient to rank them; the values of the selected
 * pixels are taken from the original frame, not from this class. Masked pixels are NaN.
 *
 * <p>A pixel is masked if it is a negative integer, the largest unsigned integer of 32 or 64 bits
 * (the marker of photon-counting detectors), or not finite in single precision.
 */
public final class PixelFrame {
  private final int rows;
  private final int columns;
  private final float[] intensities;

  private PixelFrame(int rows, int columns, float[] intensities) {
    this.rows = rows;
    this.columns = columns;
    this.intensities = intensities;
  }

  /**
   * Returns the frame whose first pixel is at the beginning of a segment.
   *
   * @param pixels the pixels in row-major order and native byte order
   * @throws IllegalArgumentException if the segment is too small for the frame, or if the frame is
   *     empty or has more pixels than a Java array can hold
   */
  public static PixelFrame of(MemorySegment pixels, PixelType type, int rows, int columns) {
    long count = (long) rows * columns;
    if (rows < 1 || columns < 1 || count > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("no such frame: rows=" + rows + " columns=" + columns);
    }
    if (pixels.byteSize() / type.bytes() < count) {
      throw new IllegalArgumentException(
          "too few bytes for a frame: bytes=%d expected=%d rows=%d columns=%d type=%s"
              .formatted(pixels.byteSize(), count * type.bytes(), rows, columns, type));
    }
    float[] intensities = new float[(int) count];
    fill(intensities, pixels, type);
    return new PixelFrame(rows, columns, intensities);
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns;
  }

  /** Returns the intensity at a linear index; NaN if the pixel is masked. */
  public float at(int index) {
    return intensities[index];
  }

  /** Returns the internal array, not a copy, for the loops of this package. */
  float[] intensities() {
    return intensities;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PixelFrame frame
        && rows == frame.rows
        && columns == frame.columns
        && Arrays.equals(intensities, frame.intensities);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * rows + columns) + Arrays.hashCode(intensities);
  }

  // One loop per type, because a switch inside the loop would cost more than the conversion.
  private static void fill(float[] to, MemorySegment from, PixelType type) {
    switch (type) {
      case I8 -> {
        for (int i = 0; i < to.length; i++) {
          to[i] = unlessNegative(from.get(JAVA_BYTE, i));
        }
      }
      case U8 -> {
        for (int i = 0; i < to.length; i++) {
          to[i] = from.get(JAVA_BYTE, i) & 0xff;
        }
      }
      case I16 -> {
        for (int i = 0; i < to.length; i++) {
          to[i] = unlessNegative(from.get(JAVA_SHORT_UNALIGNED, 2L * i));
        }
      }
      case U16 -> {
        for (int i = 0; i < to.length; i++) {
          to[i] = from.get(JAVA_SHORT_UNALIGNED, 2L * i) & 0xffff;
        }
      }
      case I32 -> {
        for (int i = 0; i < to.length; i++) {
          to[i] = unlessNegative(from.get(JAVA_INT_UNALIGNED, 4L * i));
        }
      }
      case U32 -> {
        for (int i = 0; i < to.length; i++) {
          int pixel = from.get(JAVA_INT_UNALIGNED, 4L * i);
          to[i] = pixel == -1 ? Float.NaN : Integer.toUnsignedLong(pixel);
        }
      }
      case I64 -> {
        for (int i = 0; i < to.length; i++) {
          long pixel = from.get(JAVA_LONG_UNALIGNED, 8L * i);
          to[i] = pixel < 0 ? Float.NaN : pixel;
        }
      }
      case U64 -> {
        for (int i = 0; i < to.length; i++) {
          long pixel = from.get(JAVA_LONG_UNALIGNED, 8L * i);
          to[i] = pixel == -1 ? Float.NaN : pixel < 0 ? (pixel >>> 1) * 2f : pixel;
        }
      }
      case F32 -> {
        for (int i = 0; i < to.length; i++) {
          to[i] = unlessInfinite(from.get(JAVA_FLOAT_UNALIGNED, 4L * i));
        }
      }
      case F64 -> {
        for (int i = 0; i < to.length; i++) {
          to[i] = unlessInfinite((float) from.get(JAVA_DOUBLE_UNALIGNED, 8L * i));
        }
      }
    }
  }

  private static float unlessNegative(int pixel) {
    return pixel < 0 ? Float.NaN : pixel;
  }

  private static float unlessInfinite(float pixel) {
    return Float.isFinite(pixel) ? pixel : Float.NaN;
  }
}
