package io.skerry.chunk.datatype.conversion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.datatype.BitPadding;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.RandomTypes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Conversions of half precision, bfloat16, VAX and 80-bit extended floating-point numbers. */
class FloatingFormatConversionTest {
  @Test
  void halves_and_bfloats_survive_a_conversion_to_float_and_back() {
    FloatingPoint brain = FloatingPoint.ieee(2, 7, 8, Endian.BIG);
    for (FloatingPoint small : List.of(Datatype.F16, brain)) {
      MemorySegment in = MemorySegment.ofArray(new byte[2 << 16]);
      for (int bits = 0; bits < 1 << 16; bits++) {
        in.set(layout(small), 2L * bits, (short) bits);
      }
      MemorySegment wide = MemorySegment.ofArray(new byte[4 << 16]);
      MemorySegment back = MemorySegment.ofArray(new byte[2 << 16]);
      Conversion.between(small, Datatype.F32).convert(in, wide, 1 << 16);
      Conversion.between(Datatype.F32, small).convert(wide, back, 1 << 16);
      for (int bits = 0; bits < 1 << 16; bits++) {
        float value = wide.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * bits);
        float expected =
            small == brain ? Float.intBitsToFloat(bits << 16) : Float.float16ToFloat((short) bits);
        assertEquals(expected, value, "bits=" + bits + " " + small);
        if (!Float.isNaN(value)) {
          assertEquals((short) bits, back.get(layout(small), 2L * bits), "bits=" + bits);
        }
      }
    }
  }

  private static ValueLayout.OfShort layout(FloatingPoint type) {
    return ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(
        type.order() == Endian.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void doubles_are_rounded_to_the_nearest_number_of_a_narrow_type_ties_to_even() {
    Random random = new Random(9);
    MemorySegment in = MemorySegment.ofArray(new double[1]);
    MemorySegment out = MemorySegment.ofArray(new short[1]);
    for (int i = 0; i < 20_000; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      if (i % 2 == 0) {
        value = (float) Math.scalb(random.nextDouble() - 0.5, random.nextInt(50) - 30);
      }
      in.set(ValueLayout.JAVA_DOUBLE, 0, value);
      Conversion.between(Datatype.F64, Datatype.F16).convert(in, out, 1);
      if (!Float.isNaN(value)) {
        assertEquals(
            Float.floatToFloat16(value), out.get(ValueLayout.JAVA_SHORT, 0), "value=" + value);
      }
    }
  }

  @Test
  void vax_and_extended_numbers_are_read_by_their_fields() {
    // 1.0 is exponent 129 with a hidden bit; the word with sign and exponent comes first.
    FloatingPoint vax =
        new FloatingPoint(
            4,
            Endian.VAX,
            BitPadding.ZEROS,
            FloatingPoint.Normalization.MSB_IMPLIED,
            31,
            0,
            32,
            23,
            8,
            0,
            23,
            129);
    byte[] vaxes = HexFormat.of().parseHex("8040000020c10000d04f1802");
    assertArrayEquals(new double[] {1, -2.5, 0x1.A0043p30}, doubles(vax, vaxes, 3));
    byte[] tens =
        HexFormat.of()
            .parseHex(
                "00000000000000c0ff3f000000000000"
                    + "00000000000000c000c0000000000000"
                    + "0000000000000080ff7f000000000000");
    assertArrayEquals(
        new double[] {1.5, -3, Double.POSITIVE_INFINITY}, doubles(RandomTypes.EXTENDED, tens, 3));
  }

  private static double[] doubles(Datatype type, byte[] raw, int count) {
    MemorySegment out = MemorySegment.ofArray(new double[count]);
    Conversion.between(type, Datatype.F64).convert(MemorySegment.ofArray(raw), out, count);
    return out.toArray(ValueLayout.JAVA_DOUBLE);
  }

  @Test
  void a_bfloat16_nan_is_converted_to_all_ones_and_keeps_its_sign() {
    FloatingPoint brain = FloatingPoint.ieee(2, 7, 8, Endian.LITTLE);
    MemorySegment in = MemorySegment.ofArray(new short[] {0x7f81, (short) 0xffc0, 0x7f80, 0x3f80});
    MemorySegment out = MemorySegment.ofArray(new int[4]);
    Conversion.between(brain, Datatype.F32).convert(in, out, 4);
    assertArrayEquals(
        new int[] {0x7fffffff, 0xffffffff, 0x7f800000, 0x3f800000},
        out.toArray(ValueLayout.JAVA_INT));
  }
}
