package io.skerry.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Enumeration;
import io.skerry.format.block.Widths;
import io.skerry.internal.value.HeapSink;
import io.skerry.internal.value.ValueWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests numbers as values of types of another kind. */
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
  void a_fraction_is_not_truncated_implicitly() {
    assertThrows(
        IllegalArgumentException.class, () -> written(Datatype.I32, new Value.Real(1.5, 53)));
  }
}
