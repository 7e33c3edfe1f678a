package io.skerry.jobs.detector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class PixelFrameTest {
  private static final float MASKED = Float.NaN;

  @Test
  void every_type_is_converted_to_intensities_with_its_mask() {
    check(PixelType.I8, MemorySegment.ofArray(new byte[] {0, 127, -1}), 0, 127, MASKED);
    check(PixelType.U8, MemorySegment.ofArray(new byte[] {0, 127, -1}), 0, 127, 255);
    check(PixelType.I16, MemorySegment.ofArray(new short[] {7, 32767, -2}), 7, 32767, MASKED);
    check(PixelType.U16, MemorySegment.ofArray(new short[] {7, 32767, -2}), 7, 32767, 65534);
    check(PixelType.I32, MemorySegment.ofArray(new int[] {7, 1 << 30, -1}), 7, 1 << 30, MASKED);
    check(PixelType.U32, MemorySegment.ofArray(new int[] {7, -2, -1}), 7, 0x1p32f, MASKED);
    check(PixelType.I64, MemorySegment.ofArray(new long[] {7, 1L << 60, -9}), 7, 0x1p60f, MASKED);
    check(PixelType.U64, MemorySegment.ofArray(new long[] {7, -2, -1}), 7, 0x1p64f, MASKED);
    float infinite = Float.POSITIVE_INFINITY;
    check(PixelType.F32, MemorySegment.ofArray(new float[] {-7, infinite, 2}), -7, MASKED, 2);
    check(PixelType.F64, MemorySegment.ofArray(new double[] {-7, 1e300, 2}), -7, MASKED, 2);
  }

  @Test
  void too_few_bytes_are_refused_with_both_sizes() {
    var pixels = MemorySegment.ofArray(new short[11]);
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> PixelFrame.of(pixels, PixelType.U16, 3, 4));
    assertEquals(
        "too few bytes for a frame: bytes=22 expected=24 rows=3 columns=4 type=U16",
        e.getMessage());
  }

  @Test
  void a_frame_larger_than_an_array_is_refused_before_allocation() {
    var pixels = MemorySegment.ofArray(new short[4]);
    assertThrows(
        IllegalArgumentException.class,
        () -> PixelFrame.of(pixels, PixelType.U16, 1 << 16, 1 << 16));
    assertThrows(IllegalArgumentException.class, () -> PixelFrame.of(pixels, PixelType.U16, 0, 4));
  }

  private static void check(PixelType type, MemorySegment pixels, float... expected) {
    assertArrayEquals(expected, PixelFrame.of(pixels, type, 1, 3).intensities(), type.name());
  }
}
