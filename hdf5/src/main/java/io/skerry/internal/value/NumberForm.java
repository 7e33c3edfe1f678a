package io.skerry.internal.value;

import io.skerry.chunk.datatype.conversion.BinaryReal;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.BitPadding;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.FloatingPoint.Normalization;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.List;

/** The canonical form of numbers. */
final class NumberForm implements FixedForm {
  /**
   * The 80-bit extended format in 16 bytes, which stores the leading bit of the mantissa
   * explicitly.
   */
  static final FloatingPoint EXTENDED =
      new FloatingPoint(
          16, Endian.LITTLE, BitPadding.ZEROS, Normalization.NONE, 79, 0, 80, 64, 15, 0, 64, 16383);

  private static final List<FloatingPoint> REALS =
      List.of(Datatype.F16, Datatype.F32, Datatype.F64, EXTENDED);

  private final Datatype from;
  private final int size;
  private final Mover mover;
  private final boolean identity;

  /** Converts packed elements. */
  @FunctionalInterface
  private interface Mover {
    void move(MemorySegment in, MemorySegment out, int count);
  }

  private NumberForm(Datatype from, int size, boolean identity, Mover mover) {
    this.from = from;
    this.size = size;
    this.identity = identity;
    this.mover = mover;
  }

  static FixedForm of(FixedPoint type) {
    if (type.size() <= 8) {
      return converted(type, FixedPoint.of(type.size(), type.signedness(), Endian.LITTLE));
    }
    if (type.isWhole()) {
      return new RawForm(type.size(), type.order());
    }
    return new NumberForm(
        type,
        type.size(),
        false,
        (in, out, count) -> {
          for (int i = 0; i < count; i++) {
            long at = (long) i * type.size();
            store(type.read(in, at), out.asSlice(at, type.size()));
          }
        });
  }

  private static void store(BigInteger value, MemorySegment out) {
    for (int b = 0; b < out.byteSize(); b++) {
      out.set(ValueLayout.JAVA_BYTE, b, value.shiftRight(8 * b).byteValue());
    }
  }

  static FixedForm of(FloatingPoint type) {
    FloatingPoint to = canonical(type);
    if (to.equals(type)) {
      return new RawForm(type.size(), type.order() == Endian.BIG ? Endian.BIG : Endian.LITTLE);
    }
    if (!to.equals(EXTENDED)) {
      return converted(type, to);
    }
    // If the number already has the canonical layout, its padding is kept.
    boolean already = fields(type).equals(fields(EXTENDED));
    return new NumberForm(
        type,
        EXTENDED.size(),
        already,
        (in, out, count) -> {
          for (int i = 0; i < count; i++) {
            BinaryReal.read(type, in, (long) i * type.size()).write(EXTENDED, out, 16L * i);
          }
        });
  }

  /** Returns the properties that define the layout of a number, except for its padding. */
  private static List<Object> fields(FloatingPoint type) {
    return List.of(
        type.size(),
        type.order(),
        type.signPosition(),
        type.exponentPosition(),
        type.exponentSize(),
        type.mantissaPosition(),
        type.mantissaSize(),
        type.normalization() == Normalization.MSB_IMPLIED,
        type.bias());
  }

  /**
   * Returns the first floating-point type of {@link #REALS} that can represent every value of a
   * type and is not smaller than it; the type itself if there is none.
   */
  static FloatingPoint canonical(FloatingPoint type) {
    return REALS.stream().filter(real -> holds(real, type)).findFirst().orElse(type);
  }

  private static boolean holds(FloatingPoint real, FloatingPoint type) {
    long greatest = 1L << (real.exponentSize() - 1);
    return real.size() >= type.size()
        && type.mantissaSize() <= real.mantissaSize()
        && type.exponentSize() < 40
        && (1L << type.exponentSize()) - type.bias() - 1 <= greatest
        && 1 - type.bias() >= 2 - greatest;
  }

  private static NumberForm converted(Datatype from, Datatype to) {
    Conversion conversion = Conversion.between(from, to);
    return new NumberForm(from, to.size(), conversion.isIdentity(), conversion::convert);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean isIdentity() {
    return identity;
  }

  @Override
  public void fill(Run in, Run out, int count) {
    int stored = from.size();
    if (in.stride() == stored && out.stride() == size) {
      move(
          in.bytes().asSlice(in.at(), (long) count * stored),
          out.bytes().asSlice(out.at(), (long) count * size),
          count);
      return;
    }
    MemorySegment gathered = MemorySegment.ofArray(new byte[count * stored]);
    for (int i = 0; i < count; i++) {
      MemorySegment.copy(
          in.bytes(), in.at() + i * in.stride(), gathered, (long) i * stored, stored);
    }
    MemorySegment moved = gathered;
    if (!identity) {
      moved = MemorySegment.ofArray(new byte[count * size]);
      mover.move(gathered, moved, count);
    }
    for (int i = 0; i < count; i++) {
      MemorySegment.copy(moved, (long) i * size, out.bytes(), out.at() + i * out.stride(), size);
    }
  }

  private void move(MemorySegment in, MemorySegment out, int count) {
    if (identity) {
      out.copyFrom(in);
    } else {
      mover.move(in, out, count);
    }
  }
}
