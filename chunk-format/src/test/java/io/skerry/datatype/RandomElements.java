package io.skerry.datatype;

import io.skerry.chunk.datatype.conversion.BinaryReal;
import io.skerry.chunk.datatype.conversion.Conversion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.Random;

/** Random elements of any type, including those that conversions often get wrong. */
public final class RandomElements {
  private final Random random;

  public RandomElements(Random random) {
    this.random = random;
  }

  public byte[] of(Datatype type, int count) {
    byte[] bytes = new byte[count * type.size()];
    random.nextBytes(bytes);
    MemorySegment out = MemorySegment.ofArray(bytes);
    for (int i = 0; i < count; i++) {
      fill(type, out.asSlice((long) i * type.size(), type.size()));
    }
    return bytes;
  }

  private void fill(Datatype type, MemorySegment out) {
    switch (type) {
      case FixedPoint integer -> integer(integer, out);
      case FloatingPoint real -> real(real, out);
      case ComplexType complex -> {
        int half = complex.part().size();
        real(complex.part(), out.asSlice(0, half));
        real(complex.part(), out.asSlice(half, half));
      }
      case Enumeration names -> {
        boolean known = random.nextInt(8) > 0;
        long value = names.members().get(random.nextInt(names.members().size())).value();
        Conversion.between(Datatype.I64, names.base())
            .convert(
                MemorySegment.ofArray(new long[] {known ? value : random.nextInt(100)}), out, 1);
      }
      case StringType _ -> {
        int length = random.nextInt((int) out.byteSize() + 1);
        for (int i = 0; i < out.byteSize(); i++) {
          int tail = random.nextBoolean() ? ' ' : 0;
          int c = i < length ? "ab c".charAt(random.nextInt(4)) : tail;
          out.set(ValueLayout.JAVA_BYTE, i, (byte) c);
        }
      }
      case Compound compound -> {
        for (Compound.Member member : compound.members()) {
          fill(member.type(), out.asSlice(member.offset(), member.type().size()));
        }
      }
      case ArrayType array -> {
        int size = array.base().size();
        for (int at = 0; at < array.size(); at += size) {
          fill(array.base(), out.asSlice(at, size));
        }
      }
      case BitField _, Opaque _, Time _, Reference _, VariableLength _ -> {
        // The element keeps its random bits.
      }
    }
  }

  /** Writes random bits, small numbers, or numbers around powers of two. */
  private void integer(FixedPoint type, MemorySegment out) {
    BigInteger value =
        switch (random.nextInt(3)) {
          case 0 -> new BigInteger(8 * type.size(), random);
          case 1 -> BigInteger.valueOf(random.nextInt(300) - 150);
          default ->
              BigInteger.ONE
                  .shiftLeft(random.nextInt(type.precision()))
                  .add(BigInteger.valueOf(random.nextInt(5) - 2));
        };
    BigInteger bits = ElementBits.field(value, 0, type.precision()).shiftLeft(type.offset());
    ElementBits.write(bits, type.order(), type.size(), out, 0);
  }

  /** Writes random bits, numbers around powers of two, ties, infinities or NaNs. */
  private void real(FloatingPoint type, MemorySegment out) {
    double value =
        switch (random.nextInt(6)) {
          case 0 -> Double.longBitsToDouble(random.nextLong());
          case 1 -> {
            double edge = Math.scalb(random.nextBoolean() ? 1.0 : -1.0, random.nextInt(70));
            yield edge + random.nextInt(5) - 2 + random.nextInt(2) * 0.5;
          }
          case 2 -> {
            // One significant bit more than a narrow type has, which makes the value a tie.
            int bits = random.nextInt(3) == 0 ? 8 : random.nextBoolean() ? 11 : 24;
            long odd = (1L << bits) | random.nextInt(1 << bits) | 1;
            yield Math.scalb((double) odd, random.nextInt(60) - 45);
          }
          case 3 -> random.nextInt(2000) - 1000;
          case 4 -> {
            double[] edges = {
              0,
              -0.0,
              Double.NaN,
              Double.POSITIVE_INFINITY,
              Double.NEGATIVE_INFINITY,
              65504,
              65505,
              -65520,
              Float.MAX_VALUE,
              -Float.MAX_VALUE,
              Double.MAX_VALUE,
              Float.MIN_VALUE,
              Double.MIN_VALUE,
              Float.MIN_NORMAL,
              0x1p-14,
              0x1p-24,
              0x1p-25,
              0x1.8p-25,
              -0.25,
              -0.5,
              -0.999,
              0x1p63,
              -0x1p63,
              0x1p64,
              0x1.fffffffffffffp63
            };
            yield edges[random.nextInt(edges.length)];
          }
          default -> random.nextGaussian() * 1e5;
        };
    BinaryReal.read(
            Datatype.F64, MemorySegment.ofArray(new long[] {Double.doubleToRawLongBits(value)}), 0)
        .write(type, out, 0);
  }
}
