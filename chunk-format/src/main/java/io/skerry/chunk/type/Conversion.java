package io.skerry.chunk.type;

import io.skerry.chunk.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Turns elements of one type into elements of another, many at a time.
 *
 * <p>Equal types of any class are copied. Numbers convert as in HDF5: integers of 1 to 8 bytes in
 * any byte order, sign and precision, floating point of any fields by way of binary64; what does
 * not fit is clipped to the nearest value that does, a fraction is cut off towards zero, NaN
 * becomes 0, what is beyond the range of a floating-point type becomes infinite. An enumeration
 * converts as its base, a bit field as an unsigned integer.
 *
 * <p>Immutable and safe for any number of threads.
 */
public final class Conversion {
  private static final int BLOCK = 512;

  private final Datatype from;
  private final Datatype to;
  private final Mover mover;

  /** Converts elements 0 to {@code elements - 1}; the segments have the right lengths. */
  @FunctionalInterface
  private interface Mover {
    void move(MemorySegment in, MemorySegment out, long elements);
  }

  private Conversion(Datatype from, Datatype to, Mover mover) {
    this.from = from;
    this.to = to;
    this.mover = mover;
  }

  /**
   * The conversion between two types.
   *
   * @throws UnsupportedFeatureException if there is none
   */
  public static Conversion between(Datatype from, Datatype to) {
    if (from.equals(to)) {
      return new Conversion(from, to, (in, out, _) -> out.copyFrom(in));
    }
    if (from instanceof Enumeration && to instanceof Enumeration) {
      throw unsupported(from, to);
    }
    Datatype source = number(from);
    Datatype target = number(to);
    return new Conversion(from, to, mover(source, target));
  }

  /** An enumeration is its base, and bits that are asked for as a number are an unsigned one. */
  private static Datatype number(Datatype type) {
    return switch (type) {
      case Enumeration e -> e.base();
      case BitField b ->
          new FixedPoint(
              b.size(), b.order(), Signedness.UNSIGNED, b.offset(), b.precision(), b.padding());
      default -> type;
    };
  }

  private static Mover mover(Datatype source, Datatype target) {
    if (source.equals(target)) {
      return (in, out, _) -> out.copyFrom(in);
    }
    if (differInOrderOnly(source, target) && source.size() != 1) {
      return swap(source);
    }
    if (source instanceof FixedPoint a && a.size() <= 8) {
      if (target instanceof FixedPoint b && b.size() <= 8) {
        return integers(new IntegerElements(a), new IntegerElements(b));
      }
      if (target instanceof FloatingPoint b) {
        return toFloats(new IntegerElements(a), new FloatElements(b));
      }
    }
    if (source instanceof FloatingPoint a) {
      if (target instanceof FixedPoint b && b.size() <= 8) {
        return toIntegers(new FloatElements(a), new IntegerElements(b));
      }
      if (target instanceof FloatingPoint b) {
        return floats(new FloatElements(a), new FloatElements(b));
      }
    }
    throw unsupported(source, target);
  }

  private static UnsupportedFeatureException unsupported(Datatype from, Datatype to) {
    return new UnsupportedFeatureException("conversion from " + from + " to " + to, "a transfer");
  }

  private static boolean differInOrderOnly(Datatype source, Datatype target) {
    boolean swappable = source.size() == 2 || source.size() == 4 || source.size() == 8;
    return swappable
        && switch (source) {
          case FixedPoint a -> target instanceof FixedPoint b && a.withOrder(b.order()).equals(b);
          case FloatingPoint a ->
              target instanceof FloatingPoint b
                  && a.order() != Endian.VAX
                  && b.order() != Endian.VAX
                  && a.withOrder(b.order()).equals(b);
          default -> false;
        };
  }

  private static Mover swap(Datatype type) {
    ValueLayout little =
        switch (type.size()) {
          case 2 -> ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
          case 4 -> ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
          default -> ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
        };
    ValueLayout big = little.withOrder(ByteOrder.BIG_ENDIAN);
    return (in, out, elements) -> MemorySegment.copy(in, little, 0, out, big, 0, elements);
  }

  private static Mover integers(IntegerElements a, IntegerElements b) {
    return (in, out, elements) -> {
      long[] block = new long[BLOCK];
      for (long at = 0; at < elements; at += BLOCK) {
        int n = (int) Math.min(BLOCK, elements - at);
        a.load(in, at, block, n);
        b.clip(block, n, a);
        b.store(out, at, block, n);
      }
    };
  }

  private static Mover toFloats(IntegerElements a, FloatElements b) {
    return (in, out, elements) -> {
      long[] block = new long[BLOCK];
      double[] numbers = new double[BLOCK];
      for (long at = 0; at < elements; at += BLOCK) {
        int n = (int) Math.min(BLOCK, elements - at);
        a.load(in, at, block, n);
        for (int i = 0; i < n; i++) {
          numbers[i] = b.isSingle() ? a.toFloat(block[i]) : a.toDouble(block[i]);
        }
        b.store(out, at, numbers, n);
      }
    };
  }

  private static Mover toIntegers(FloatElements a, IntegerElements b) {
    return (in, out, elements) -> {
      long[] block = new long[BLOCK];
      double[] numbers = new double[BLOCK];
      for (long at = 0; at < elements; at += BLOCK) {
        int n = (int) Math.min(BLOCK, elements - at);
        a.load(in, at, numbers, n);
        for (int i = 0; i < n; i++) {
          block[i] = b.clip(numbers[i]);
        }
        b.store(out, at, block, n);
      }
    };
  }

  private static Mover floats(FloatElements a, FloatElements b) {
    return (in, out, elements) -> {
      double[] numbers = new double[BLOCK];
      for (long at = 0; at < elements; at += BLOCK) {
        int n = (int) Math.min(BLOCK, elements - at);
        a.load(in, at, numbers, n);
        b.store(out, at, numbers, n);
      }
    };
  }

  /** Type of the elements that come in. */
  public Datatype from() {
    return from;
  }

  /** Type of the elements that go out. */
  public Datatype to() {
    return to;
  }

  /** Whether the bytes stay as they are, so that a caller may leave the step out. */
  public boolean isIdentity() {
    Datatype source = number(from);
    Datatype target = number(to);
    return source.equals(target);
  }

  /**
   * Converts.
   *
   * @param in at least {@code elements} elements; must not overlap {@code out}
   * @param out room for at least as many
   * @throws IllegalArgumentException if a segment is too short
   */
  public void convert(MemorySegment in, MemorySegment out, long elements) {
    if (elements < 0
        || elements > in.byteSize() / from.size()
        || elements > out.byteSize() / to.size()) {
      throw new IllegalArgumentException(
          "segment too short: elements="
              + elements
              + " in="
              + in.byteSize()
              + " bytes of "
              + from
              + " out="
              + out.byteSize()
              + " bytes of "
              + to);
    }
    mover.move(
        in.asSlice(0, elements * from.size()), out.asSlice(0, elements * to.size()), elements);
  }

  @Override
  public String toString() {
    return from + "->" + to;
  }
}
