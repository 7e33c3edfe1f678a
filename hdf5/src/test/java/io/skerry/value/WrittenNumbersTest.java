package io.skerry.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import io.skerry.format.block.Widths;
import io.skerry.internal.value.HeapSink;
import io.skerry.internal.value.ValueWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests numbers that are written as elements of another datatype class. */
class WrittenNumbersTest {
  private static MemorySegment written(Datatype type, Value value) {
    HeapSink none =
        content -> {
          throw new IllegalStateException("content: " + content);
        };
    return new ValueWriter(Widths.EIGHT, none).writeAll(type, List.of(value));
  }

  private static float single(MemorySegment bytes, long at) {
    return bytes.get(ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), at);
  }

  @Test
  void an_integer_is_rounded_once_to_a_floating_point_number() {
    // Halfway between two floats except for its last bit, which a double cannot represent.
    BigInteger number =
        BigInteger.ONE.shiftLeft(80).add(BigInteger.ONE.shiftLeft(56)).add(BigInteger.ONE);
    assertEquals(0x1.000002p80f, single(written(Datatype.F32, new Value.Whole(number)), 0));
    assertEquals(
        -0x1.000002p80f, single(written(Datatype.F32, new Value.Whole(number.negate())), 0));
    assertEquals(0f, single(written(Datatype.F32, new Value.Whole(BigInteger.ZERO)), 0));
  }

  @Test
  void a_number_is_accepted_as_a_complex_number_without_imaginary_part() {
    ComplexType type = new ComplexType(Datatype.F32);
    for (Value value : List.of(new Value.Whole(BigInteger.valueOf(-3)), new Value.Real(-3, 53))) {
      MemorySegment out = written(type, value);
      assertEquals(-3f, single(out, 0));
      assertEquals(0f, single(out, 4));
    }
  }

  @Test
  void an_enumeration_accepts_integers_of_its_base_type() {
    Enumeration type = new Enumeration(Datatype.I8, List.of(new Enumeration.Member("one", 1)));
    assertEquals(
        7, written(type, new Value.Whole(BigInteger.valueOf(7))).get(ValueLayout.JAVA_BYTE, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> written(type, new Value.Whole(BigInteger.valueOf(128))));
  }

  @Test
  void a_member_of_an_enumeration_is_written_as_a_whole_element() {
    // The value of the member includes the four bits below and above those of the base type.
    FixedPoint base = new FixedPoint(2, Endian.LITTLE, Signedness.UNSIGNED, 4, 8);
    Enumeration type = new Enumeration(base, List.of(new Enumeration.Member("all", 0xfff3)));
    for (Value value :
        List.of(
            new Value.Enumerated(0xfff3, Optional.of("all")),
            new Value.Enumerated(0xfff3, Optional.empty()),
            new Value.Whole(BigInteger.valueOf(0xfff3)))) {
      assertEquals((short) 0xfff3, little(written(type, value)), value.toString());
    }
    for (Value value :
        List.of(
            new Value.Enumerated(5, Optional.empty()), new Value.Whole(BigInteger.valueOf(5)))) {
      assertEquals(0x50, little(written(type, value)), value.toString());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> written(type, new Value.Whole(BigInteger.valueOf(256))));
  }

  private static short little(MemorySegment bytes) {
    return bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 0);
  }

  @Test
  void the_largest_member_of_an_unsigned_enumeration_is_written() {
    FixedPoint base = FixedPoint.of(8, Signedness.UNSIGNED, Endian.LITTLE);
    Enumeration type = new Enumeration(base, List.of(new Enumeration.Member("most", -1)));
    MemorySegment out = written(type, new Value.Enumerated(-1, Optional.of("most")));
    assertEquals(-1, out.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> written(type, new Value.Whole(BigInteger.valueOf(-1))));
  }

  @Test
  void a_fraction_is_not_truncated_implicitly() {
    assertThrows(
        IllegalArgumentException.class, () -> written(Datatype.I32, new Value.Real(1.5, 53)));
  }

  @Test
  void a_number_of_24_bits_beyond_the_range_of_a_float_is_shown_with_its_exponent() {
    assertEquals("1.0E100", new Value.Real(1e100, 24).toString());
    assertEquals("-1.0E-100", new Value.Real(-1e-100, 24).toString());
    assertEquals("0.1", new Value.Real(0.1f, 24).toString());
    assertEquals("-0.0", new Value.Real(-0.0, 24).toString());
    assertEquals("Infinity", new Value.Real(Double.POSITIVE_INFINITY, 24).toString());
    assertEquals("NaN", new Value.Real(Double.NaN, 24).toString());
  }
}
