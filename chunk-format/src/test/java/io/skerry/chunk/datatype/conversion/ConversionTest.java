package io.skerry.chunk.datatype.conversion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.PythonOracle;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.BitPadding;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.RandomElements;
import io.skerry.datatype.RandomTypes;
import io.skerry.datatype.Reference;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Has one test for each conversion rule, most of which share a model with exact arithmetic. {@link
 * FloatingFormatConversionTest} covers the floating-point formats other than IEEE 754 single and
 * double precision.
 */
class ConversionTest {
  private static final int COUNT = Boolean.getBoolean("skerry.thorough") ? 1500 : 600;

  @Test
  void every_pair_of_numbers_agrees_with_exact_arithmetic() {
    Random random = new Random(42);
    List<Datatype> types = numbers();
    for (Datatype from : types) {
      for (Datatype to : types) {
        byte[] in = interesting(random, from);
        MemorySegment out = MemorySegment.ofArray(new byte[COUNT * to.size()]);
        Conversion.between(from, to).convert(MemorySegment.ofArray(in), out, COUNT);
        for (int i = 0; i < COUNT; i++) {
          Number expected = model(read(MemorySegment.ofArray(in), from, i), to);
          assertEquals(
              String.valueOf(expected), String.valueOf(read(out, to, i)), from + "->" + to);
        }
      }
    }
  }

  @Test
  void conversions_agree_with_the_library() throws Exception {
    String script =
        """
        f = h5py.File('x', 'w', driver='core', backing_store=False)
        rng = np.random.default_rng(5)
        types = ['<u1','>u2','<u4','<u8','<i1','>i2','<i4','>i8','<f4','>f4','<f8']
        for a in types:
            raw = rng.integers(0, 256, 64 * np.dtype(a).itemsize, dtype='u1').tobytes()
            x = np.frombuffer(raw, a).copy()
            x[:6] = [0, 1, 100, 127, 1, 0]
            if a[1] == 'f':
                x[6:14] = [np.nan, np.inf, -np.inf, -1.9, 3.9e9, 1.9e19, -1e300 if a[2] == '8' else -1e30, 0.99]
            d = f.create_dataset(a, data=x)
            for b in types:
                if a[1] == 'f' and b[1] == 'i' or a[1] == 'f' and b[1] == 'u':
                    x[np.isnan(x)] = 0
                    d[...] = x
                y = np.zeros(64, b)
                d.read_direct(y)
                print(a, b, x.tobytes().hex(), y.tobytes().hex())
        """;
    int pairs = 0;
    for (String line : PythonOracle.run(script)) {
      String[] fields = line.split(" ");
      Datatype from = numpy(fields[0]);
      Datatype to = numpy(fields[1]);
      if (isWrongInTheLibrary(from, to)) {
        continue;
      }
      byte[] in = HexFormat.of().parseHex(fields[2]);
      MemorySegment expected = MemorySegment.ofArray(HexFormat.of().parseHex(fields[3]));
      MemorySegment out = MemorySegment.ofArray(new byte[64 * to.size()]);
      Conversion.between(from, to).convert(MemorySegment.ofArray(in), out, 64);
      for (int i = 0; i < 64; i++) {
        assertEquals(
            String.valueOf(read(expected, to, i)),
            String.valueOf(read(out, to, i)),
            from + "->" + to + " of " + read(MemorySegment.ofArray(in), from, i));
      }
      pairs++;
    }
    System.out.println(pairs + " pairs of number types convert as h5py's library does");
    assertTrue(pairs > 90, "pairs=" + pairs);
  }

  /**
   * Returns whether the library is wrong: between integers of one size that differ in sign and byte
   * order, it swaps bytes without clipping; from floating-point numbers to integers, if not both
   * are in native byte order, it converts -1e-10 to the least integer and not to 0.
   */
  private static boolean isWrongInTheLibrary(Datatype from, Datatype to) {
    if (from instanceof FixedPoint a && to instanceof FixedPoint b) {
      return a.size() == b.size() && a.order() != b.order() && a.signedness() != b.signedness();
    }
    return from instanceof FloatingPoint a
        && to instanceof FixedPoint b
        && (a.order() == Endian.BIG || b.order() == Endian.BIG);
  }

  @Test
  void values_are_clipped_and_nan_is_zero() {
    assertArrayEquals(
        new double[] {0, 255, 255, 0, 3, 0},
        viaBytes(Datatype.U8, -5, 256, Double.POSITIVE_INFINITY, Double.NaN, 3.99, -0.99));
    assertArrayEquals(
        new double[] {-128, 127, -1, 0}, viaBytes(Datatype.I8, -1e9, 1e9, -1.99, Double.NaN));
  }

  @Test
  void a_double_beyond_the_floats_is_infinite() {
    MemorySegment in = MemorySegment.ofArray(new double[] {Float.MAX_VALUE * (1 + 1e-9), -1e200});
    MemorySegment out = MemorySegment.ofArray(new float[2]);
    Conversion.between(Datatype.F64, Datatype.F32).convert(in, out, 2);
    assertArrayEquals(
        new float[] {Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY},
        out.toArray(ValueLayout.JAVA_FLOAT));
  }

  @Test
  void equal_types_of_any_class_are_copied() {
    Datatype type = new Compound(5, List.of(new Compound.Member("a", 1, Datatype.I32)));
    Conversion conversion = Conversion.between(type, type);
    assertTrue(conversion.isIdentity());
    byte[] in = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    MemorySegment out = MemorySegment.ofArray(new byte[12]);
    conversion.convert(MemorySegment.ofArray(in), out, 2);
    assertArrayEquals(
        new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0}, out.toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void an_enumeration_converts_as_its_base() {
    Enumeration flags =
        new Enumeration(
            Datatype.I8,
            List.of(new Enumeration.Member("FALSE", 0), new Enumeration.Member("TRUE", 1)));
    assertTrue(Conversion.between(flags, Datatype.I8).isIdentity());
    MemorySegment out = MemorySegment.ofArray(new double[2]);
    Conversion.between(flags, Datatype.F64)
        .convert(MemorySegment.ofArray(new byte[] {1, 0}), out, 2);
    assertArrayEquals(new double[] {1, 0}, out.toArray(ValueLayout.JAVA_DOUBLE));
  }

  @Test
  void other_pairs_are_refused_with_both_names() {
    UnsupportedFeatureException e =
        assertThrows(
            UnsupportedFeatureException.class,
            () -> Conversion.between(Datatype.I32, StringType.of(16)));
    assertTrue(e.getMessage().contains("from i32 to string[16]"), e.getMessage());
    for (Datatype other :
        List.of(
            new Opaque(4, "tag"),
            new Time(4, Endian.LITTLE, 32),
            new Reference(8, Reference.Kind.OBJECT),
            VariableLength.string(CharacterSet.UTF8),
            new ArrayType(List.of(1), Datatype.I32),
            new Compound(4, List.of(new Compound.Member("a", 0, Datatype.I32))))) {
      assertThrows(
          UnsupportedFeatureException.class, () -> Conversion.between(Datatype.I32, other));
      assertThrows(
          UnsupportedFeatureException.class, () -> Conversion.between(other, Datatype.I32));
    }
    assertFalse(Conversion.between(Datatype.I32, Datatype.U32).isIdentity());
  }

  @Test
  void a_member_that_cannot_be_converted_is_named() {
    Compound from = compound(new Compound.Member("a", 0, compoundOf("b", StringType.of(4))));
    Compound to = compound(new Compound.Member("a", 0, compoundOf("b", Datatype.F32)));
    UnsupportedFeatureException e =
        assertThrows(
            UnsupportedFeatureException.class, () -> Conversion.between(from, to, "/data"));
    assertTrue(e.getMessage().contains("member a.b from string[4] to f32"), e.getMessage());
    assertTrue(e.getMessage().contains(from + " to " + to), e.getMessage());
    assertTrue(e.getMessage().contains("/data"), e.getMessage());
  }

  @Test
  void conversions_of_character_sets_and_variable_lengths_are_refused_with_a_reason() {
    StringType ascii = new StringType(4, StringPadding.NULL_PADDED, CharacterSet.ASCII);
    UnsupportedFeatureException sets =
        assertThrows(
            UnsupportedFeatureException.class, () -> Conversion.between(ascii, StringType.of(4)));
    assertTrue(sets.getMessage().contains("character sets differ"), sets.getMessage());
    VariableLength variable = VariableLength.string(CharacterSet.ASCII);
    UnsupportedFeatureException content =
        assertThrows(UnsupportedFeatureException.class, () -> Conversion.between(ascii, variable));
    assertTrue(content.getMessage().contains("as values"), content.getMessage());
  }

  @Test
  void sequences_of_compounds_that_differ_only_in_the_order_of_members_are_equal() {
    Compound.Member a = new Compound.Member("a", 0, Datatype.I32);
    Compound.Member b = new Compound.Member("b", 4, Datatype.F32);
    Conversion copy =
        Conversion.between(
            VariableLength.sequence(new Compound(8, List.of(a, b))),
            VariableLength.sequence(new Compound(8, List.of(b, a))));
    assertTrue(copy.isIdentity());
  }

  private static Compound compoundOf(String name, Datatype type) {
    return compound(new Compound.Member(name, 0, type));
  }

  private static Compound compound(Compound.Member... members) {
    int end = 0;
    for (Compound.Member member : members) {
      end = Math.max(end, member.offset() + member.type().size());
    }
    return new Compound(end, List.of(members));
  }

  @Test
  void only_the_members_of_both_compounds_are_written() {
    Compound memory = compound(new Compound.Member("y", 0, Datatype.F64));
    Compound pair =
        compound(
            new Compound.Member("x", 0, Datatype.I32), new Compound.Member("y", 4, Datatype.F32));
    Compound file =
        compound(
            new Compound.Member("p", 1, new ArrayType(List.of(2), pair)),
            new Compound.Member("z", 17, Datatype.U8));
    Compound partial =
        compound(
            new Compound.Member("z", 0, Datatype.U16),
            new Compound.Member("p", 2, new ArrayType(List.of(2), memory)));
    Conversion conversion = Conversion.between(partial, file);
    assertTrue(conversion.keepsBackground());
    assertEquals(
        List.of(new ElementParts.Range(5, 4), new ElementParts.Range(13, 4 + 1)),
        conversion.written().ranges());
    assertFalse(Conversion.between(pair, memory).keepsBackground());
    assertEquals(
        List.of(new ElementParts.Range(0, 8)), Conversion.between(pair, memory).written().ranges());
  }

  @Test
  void the_order_of_members_does_not_matter() {
    Compound.Member x = new Compound.Member("x", 0, Datatype.I32);
    Compound.Member y = new Compound.Member("y", 4, Datatype.I8);
    assertTrue(Conversion.between(compound(x, y), compound(y, x)).isIdentity());
    Enumeration names = new Enumeration(Datatype.I8, List.of(new Enumeration.Member("one", 1)));
    Compound named = compound(x, new Compound.Member("y", 4, names));
    assertTrue(Conversion.between(named, compound(x, y)).isIdentity());
    assertTrue(
        Conversion.between(new ArrayType(List.of(3), names), new ArrayType(List.of(3), Datatype.I8))
            .isIdentity());
  }

  @Test
  void values_without_a_name_in_the_other_enumeration_become_all_ones() {
    Enumeration from =
        new Enumeration(
            Datatype.I8, List.of(new Enumeration.Member("a", 1), new Enumeration.Member("c", 3)));
    Enumeration to =
        new Enumeration(
            Datatype.U16.withOrder(Endian.BIG),
            List.of(new Enumeration.Member("b", 7), new Enumeration.Member("a", 513)));
    MemorySegment out = MemorySegment.ofArray(new byte[8]);
    Conversion.between(from, to).convert(MemorySegment.ofArray(new byte[] {1, 3, 2, -1}), out, 4);
    assertArrayEquals(
        HexFormat.of().parseHex("0201ffffffffffff"), out.toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void complex_numbers_of_any_parts_convert_as_their_parts() {
    Random random = new Random(31);
    RandomTypes types = new RandomTypes(random);
    for (int i = 0; i < 200; i++) {
      FloatingPoint from = types.floating();
      FloatingPoint to = types.floating();
      byte[] in = new RandomElements(random).of(new ComplexType(from), 20);
      MemorySegment parts = MemorySegment.ofArray(new byte[40 * to.size()]);
      MemorySegment whole = MemorySegment.ofArray(new byte[40 * to.size()]);
      Conversion.between(from, to).convert(MemorySegment.ofArray(in), parts, 40);
      Conversion.between(new ComplexType(from), new ComplexType(to))
          .convert(MemorySegment.ofArray(in), whole, 20);
      assertEquals(-1, parts.mismatch(whole), from + " -> " + to);
      MemorySegment real = MemorySegment.ofArray(new byte[20 * to.size()]);
      Conversion.between(new ComplexType(from), to).convert(MemorySegment.ofArray(in), real, 20);
      for (long at = 0; at < 20; at++) {
        MemorySegment expected = parts.asSlice(at * 2 * to.size(), to.size());
        assertEquals(-1, expected.mismatch(real.asSlice(at * to.size(), to.size())));
      }
    }
  }

  @Test
  void a_pair_with_the_layout_of_a_complex_number_is_copied() {
    ComplexType complex = new ComplexType(Datatype.F32);
    Compound pair =
        compound(
            new Compound.Member("i", 4, Datatype.F32), new Compound.Member("r", 0, Datatype.F32));
    ArrayType two = new ArrayType(List.of(2), Datatype.F32);
    for (Datatype same : List.of(pair, two)) {
      assertTrue(Conversion.between(complex, same).isIdentity());
      assertTrue(Conversion.between(same, complex).isIdentity());
    }
    ArrayType three = new ArrayType(List.of(3), Datatype.F32);
    assertThrows(UnsupportedFeatureException.class, () -> Conversion.between(complex, three));
    ComplexType doubles = new ComplexType(Datatype.F64);
    assertThrows(UnsupportedFeatureException.class, () -> Conversion.between(pair, doubles));
  }

  @Test
  void bit_fields_are_unsigned_integers_of_their_bits() {
    BitField field = new BitField(2, Endian.BIG, 3, 5, BitPadding.ZEROS);
    MemorySegment out = MemorySegment.ofArray(new int[1]);
    Conversion.between(field, Datatype.I32)
        .convert(MemorySegment.ofArray(new byte[] {(byte) 0xff, (byte) 0xa7}), out, 1);
    assertEquals(0b10100, out.get(ValueLayout.JAVA_INT, 0));
  }

  @Test
  void a_short_segment_is_refused() {
    MemorySegment four = MemorySegment.ofArray(new byte[4]);
    assertThrows(
        IllegalArgumentException.class,
        () -> Conversion.between(Datatype.I16, Datatype.I32).convert(four, four, 2));
  }

  private static double[] viaBytes(Datatype through, double... numbers) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[numbers.length * through.size()]);
    MemorySegment back = MemorySegment.ofArray(new double[numbers.length]);
    Conversion.between(Datatype.F64, through)
        .convert(MemorySegment.ofArray(numbers), bytes, numbers.length);
    Conversion.between(through, Datatype.F64).convert(bytes, back, numbers.length);
    return back.toArray(ValueLayout.JAVA_DOUBLE);
  }

  private static List<Datatype> numbers() {
    List<Datatype> types = new ArrayList<>();
    for (Endian order : List.of(Endian.LITTLE, Endian.BIG)) {
      for (int size = 1; size <= 8; size++) {
        types.add(FixedPoint.of(size, Signedness.SIGNED, order));
        types.add(FixedPoint.of(size, Signedness.UNSIGNED, order));
      }
      types.add(Datatype.F32.withOrder(order));
      types.add(Datatype.F64.withOrder(order));
      types.add(new FixedPoint(4, order, Signedness.SIGNED, 3, 12));
      types.add(new FixedPoint(2, order, Signedness.UNSIGNED, 1, 15));
    }
    return types;
  }

  private static Datatype numpy(String name) {
    Endian order = name.charAt(0) == '<' ? Endian.LITTLE : Endian.BIG;
    int size = name.charAt(2) - '0';
    return switch (name.charAt(1)) {
      case 'u' -> FixedPoint.of(size, Signedness.UNSIGNED, order);
      case 'i' -> FixedPoint.of(size, Signedness.SIGNED, order);
      default -> (size == 4 ? Datatype.F32 : Datatype.F64).withOrder(order);
    };
  }

  /** Returns random bits, and for floating point also values near the limits of integers. */
  private static byte[] interesting(Random random, Datatype type) {
    byte[] bytes = new byte[COUNT * type.size()];
    random.nextBytes(bytes);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    if (type instanceof FloatingPoint f) {
      for (int i = 0; i < COUNT; i += 2) {
        double edge = Math.scalb(random.nextBoolean() ? 1.0 : -1.0, random.nextInt(70));
        edge += random.nextInt(5) - 2 + random.nextInt(2) * 0.5;
        if (f.size() == 4) {
          segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(order(f)), i * 4L, (float) edge);
        } else {
          segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(order(f)), i * 8L, edge);
        }
      }
    }
    return bytes;
  }

  private static ByteOrder order(FloatingPoint type) {
    return type.order() == Endian.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  /** Returns an element as BigInteger, Float or Double. */
  private static Number read(MemorySegment in, Datatype type, int index) {
    byte[] raw = in.asSlice((long) index * type.size(), type.size()).toArray(ValueLayout.JAVA_BYTE);
    boolean big =
        type instanceof FixedPoint f
            ? f.order() == Endian.BIG
            : order((FloatingPoint) type) == ByteOrder.BIG_ENDIAN;
    if (!big) {
      for (int i = 0; i < raw.length / 2; i++) {
        byte swap = raw[i];
        raw[i] = raw[raw.length - 1 - i];
        raw[raw.length - 1 - i] = swap;
      }
    }
    BigInteger bits = new BigInteger(1, raw);
    if (type instanceof FloatingPoint f) {
      return f.size() == 4
          ? (Number) Float.intBitsToFloat(bits.intValue())
          : (Number) Double.longBitsToDouble(bits.longValue());
    }
    FixedPoint integer = (FixedPoint) type;
    BigInteger modulus = BigInteger.ONE.shiftLeft(integer.precision());
    BigInteger value = bits.shiftRight(integer.offset()).mod(modulus);
    boolean negative =
        integer.signedness() == Signedness.SIGNED && value.testBit(integer.precision() - 1);
    return negative ? value.subtract(modulus) : value;
  }

  private static Number model(Number value, Datatype to) {
    if (to instanceof FloatingPoint f) {
      return f.size() == 4 ? (Number) toFloat(value) : (Number) value.doubleValue();
    }
    FixedPoint integer = (FixedPoint) to;
    boolean signed = integer.signedness() == Signedness.SIGNED;
    int bits = integer.precision();
    BigInteger max = BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
    BigInteger min = signed ? max.negate().subtract(BigInteger.ONE) : BigInteger.ZERO;
    if (value instanceof BigInteger exact) {
      return exact.max(min).min(max);
    }
    double number = value.doubleValue();
    if (Double.isNaN(number)) {
      return BigInteger.ZERO;
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? max : min;
    }
    return new BigDecimal(number).toBigInteger().max(min).min(max);
  }

  private static float toFloat(Number value) {
    if (value instanceof Double d && Math.abs(d) > Float.MAX_VALUE && !d.isInfinite()) {
      return d > 0 ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
    }
    return value.floatValue();
  }
}
