package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Creates converters between integers and floating-point numbers. Integers are processed in arrays
 * of int if their types have 1, 2 or 4 bytes and fit in an int; otherwise, integers of up to 8
 * bytes are processed in arrays of long. The loops are written twice, since only loops over one
 * primitive type are vectorized. Numbers that no primitive type represents exactly, or that would
 * be rounded twice, are left to {@link ExactNumberConverters}.
 */
final class NumberConverters {
  /**
   * The number of elements processed together, small enough for them to stay in the first-level
   * cache.
   */
  static final int BLOCK = 512;

  private NumberConverters() {}

  static Converter of(FixedPoint from, FixedPoint to) {
    if (from.equals(to)) {
      return new Converter.Copy(from.size());
    }
    if (from.withOrder(to.order()).equals(to) && isSwappable(from.size())) {
      return swap(from.size());
    }
    if (SmallIntegerElements.hold(from) && SmallIntegerElements.hold(to)) {
      return integers(new SmallIntegerElements(from), new SmallIntegerElements(to), to.size());
    }
    return from.size() <= 8 && to.size() <= 8
        ? integers(new IntegerElements(from), new IntegerElements(to), to.size())
        : ExactNumberConverters.step(from, to);
  }

  static Converter of(FixedPoint from, FloatingPoint to) {
    FloatElements floats = new FloatElements(to);
    if (SmallIntegerElements.hold(from)) {
      return toFloats(new SmallIntegerElements(from), floats, to.size());
    }
    // A conversion through double would round integers of more than 53 bits twice.
    boolean once = from.precision() <= 53 || floats.isSingle() || floats.isDouble();
    return from.size() <= 8 && once
        ? toFloats(new IntegerElements(from), floats, to.size())
        : ExactNumberConverters.step(from, to);
  }

  static Converter of(FloatingPoint from, FixedPoint to) {
    FloatElements floats = new FloatElements(from);
    if (floats.fitDoubles() && SmallIntegerElements.hold(to)) {
      return toIntegers(floats, new SmallIntegerElements(to), to.size());
    }
    return floats.fitDoubles() && to.size() <= 8
        ? toIntegers(floats, new IntegerElements(to), to.size())
        : ExactNumberConverters.step(from, to);
  }

  static Converter of(FloatingPoint from, FloatingPoint to) {
    if (from.equals(to)) {
      return new Converter.Copy(from.size());
    }
    boolean vax = from.order() == Endian.VAX || to.order() == Endian.VAX;
    if (!vax && from.withOrder(to.order()).equals(to) && isSwappable(from.size())) {
      return swap(from.size());
    }
    FloatElements floats = new FloatElements(from);
    return floats.fitDoubles()
        ? floats(floats, new FloatElements(to), to.size())
        : ExactNumberConverters.step(from, to);
  }

  private static boolean isSwappable(int size) {
    return size == 2 || size == 4 || size == 8;
  }

  private static Converter swap(int size) {
    ValueLayout little =
        switch (size) {
          case 2 -> ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
          case 4 -> ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
          default -> ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
        };
    ValueLayout big = little.withOrder(ByteOrder.BIG_ENDIAN);
    return new Converter.FullWrite(
        size, (in, out, elements) -> MemorySegment.copy(in, little, 0, out, big, 0, elements));
  }

  private static int block(long elements) {
    return (int) Math.min(BLOCK, elements);
  }

  private static Converter integers(SmallIntegerElements a, SmallIntegerElements b, int size) {
    return new Converter.FullWrite(
        size,
        (in, out, elements) -> {
          int[] block = new int[block(elements)];
          for (long at = 0; at < elements; at += BLOCK) {
            int n = block(elements - at);
            a.load(in, at, block, n);
            b.clip(block, n, a);
            b.store(out, at, block, n);
          }
        });
  }

  private static Converter toFloats(SmallIntegerElements a, FloatElements b, int size) {
    return new Converter.FullWrite(
        size,
        (in, out, elements) -> {
          int[] block = new int[block(elements)];
          float[] singles = new float[b.isSingle() ? block.length : 0];
          double[] doubles = new double[b.isSingle() ? 0 : block.length];
          for (long at = 0; at < elements; at += BLOCK) {
            int n = block(elements - at);
            a.load(in, at, block, n);
            if (b.isSingle()) {
              for (int i = 0; i < n; i++) {
                singles[i] = (float) block[i];
              }
              b.store(out, at, singles, n);
            } else {
              for (int i = 0; i < n; i++) {
                doubles[i] = block[i];
              }
              b.store(out, at, doubles, n);
            }
          }
        });
  }

  private static Converter toIntegers(FloatElements a, SmallIntegerElements b, int size) {
    return new Converter.FullWrite(
        size,
        (in, out, elements) -> {
          int[] block = new int[block(elements)];
          double[] numbers = new double[block.length];
          for (long at = 0; at < elements; at += BLOCK) {
            int n = block(elements - at);
            a.load(in, at, numbers, n);
            b.clip(numbers, block, n);
            b.store(out, at, block, n);
          }
        });
  }

  private static Converter integers(IntegerElements a, IntegerElements b, int size) {
    return new Converter.FullWrite(
        size,
        (in, out, elements) -> {
          long[] block = new long[block(elements)];
          for (long at = 0; at < elements; at += BLOCK) {
            int n = block(elements - at);
            a.load(in, at, block, n);
            b.clip(block, n, a);
            b.store(out, at, block, n);
          }
        });
  }

  private static Converter toFloats(IntegerElements a, FloatElements b, int size) {
    return new Converter.FullWrite(
        size,
        (in, out, elements) -> {
          long[] block = new long[block(elements)];
          double[] numbers = new double[block.length];
          for (long at = 0; at < elements; at += BLOCK) {
            int n = block(elements - at);
            a.load(in, at, block, n);
            for (int i = 0; i < n; i++) {
              numbers[i] = b.isSingle() ? a.toFloat(block[i]) : a.toDouble(block[i]);
            }
            b.store(out, at, numbers, n);
          }
        });
  }

  private static Converter toIntegers(FloatElements a, IntegerElements b, int size) {
    return new Converter.FullWrite(
        size,
        (in, out, elements) -> {
          long[] block = new long[block(elements)];
          double[] numbers = new double[block.length];
          for (long at = 0; at < elements; at += BLOCK) {
            int n = block(elements - at);
            a.load(in, at, numbers, n);
            for (int i = 0; i < n; i++) {
              block[i] = b.clip(numbers[i]);
            }
            b.store(out, at, block, n);
          }
        });
  }

  private static Converter floats(FloatElements a, FloatElements b, int size) {
    return new Converter.FullWrite(
        size,
        (in, out, elements) -> {
          double[] numbers = new double[block(elements)];
          for (long at = 0; at < elements; at += BLOCK) {
            int n = block(elements - at);
            a.load(in, at, numbers, n);
            b.store(out, at, numbers, n);
          }
        });
  }
}
