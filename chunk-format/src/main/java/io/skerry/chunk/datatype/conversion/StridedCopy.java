package io.skerry.chunk.datatype.conversion;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Copies values between two segments, each of which holds them at a constant stride. */
final class StridedCopy {
  private StridedCopy() {}

  /**
   * Copies values.
   *
   * @param in the source of the values
   * @param inAt the offset of the first value, in bytes
   * @param inStride the distance between values, in bytes
   * @param out the target of the values
   * @param outAt the offset of the first value, in bytes
   * @param outStride the distance between values, in bytes
   * @param size the size of a value in bytes
   * @param n the number of values
   */
  static void copy(
      MemorySegment in,
      long inAt,
      long inStride,
      MemorySegment out,
      long outAt,
      long outStride,
      int size,
      long n) {
    if (inStride == size && outStride == size) {
      MemorySegment.copy(in, inAt, out, outAt, n * size);
      return;
    }
    switch (size) {
      case 1 -> {
        for (long i = 0; i < n; i++) {
          out.set(JAVA_BYTE, outAt + i * outStride, in.get(JAVA_BYTE, inAt + i * inStride));
        }
      }
      case 2 -> {
        for (long i = 0; i < n; i++) {
          short value = in.get(JAVA_SHORT_UNALIGNED, inAt + i * inStride);
          out.set(JAVA_SHORT_UNALIGNED, outAt + i * outStride, value);
        }
      }
      case 4 -> {
        for (long i = 0; i < n; i++) {
          int value = in.get(JAVA_INT_UNALIGNED, inAt + i * inStride);
          out.set(JAVA_INT_UNALIGNED, outAt + i * outStride, value);
        }
      }
      case 8 -> {
        for (long i = 0; i < n; i++) {
          long value = in.get(JAVA_LONG_UNALIGNED, inAt + i * inStride);
          out.set(JAVA_LONG_UNALIGNED, outAt + i * outStride, value);
        }
      }
      default -> {
        for (long i = 0; i < n; i++) {
          MemorySegment.copy(in, inAt + i * inStride, out, outAt + i * outStride, size);
        }
      }
    }
  }
}
