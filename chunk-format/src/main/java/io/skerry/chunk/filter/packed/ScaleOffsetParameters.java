package io.skerry.chunk.filter.packed;

import io.skerry.chunk.filter.packed.NumberBytes.Order;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Signedness;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.FilterTarget;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The client data of the scale-offset filter, 20 numbers:
 *
 * <pre>
 * 0  scale type: 0 decimal digits of a float, 2 integer
 * 1  scale factor: decimal digits, or bits per integer, 0 for as many as needed
 * 2  elements of a chunk        5  sign: 0 unsigned, 1 signed
 * 3  class: 0 integer, 1 float  6  byte order: 0 little, 1 big
 * 4  bytes of an element        7  1 if there is a fill value
 * 8  the fill value, lowest bytes first; the remaining numbers up to 19 are zero
 * </pre>
 *
 * @param kind kind of the elements
 * @param factor number of decimal digits, or of bits
 * @param elements number of elements in a chunk
 * @param size size of an element in bytes: 1, 2, 4 or 8; 4 or 8 for floating point
 * @param order byte order
 * @param fill bits of the fill value, zero-extended; empty if there is none
 */
record ScaleOffsetParameters(
    Kind kind, int factor, long elements, int size, Order order, OptionalLong fill) {
  static final int COUNT = 20;
  static final int DECIMAL_SCALE = 0;
  static final int EXPONENT_SCALE = 1;
  static final int INTEGER_SCALE = 2;

  /** Kind of the elements. */
  enum Kind {
    UNSIGNED,
    SIGNED,
    FLOAT
  }

  /**
   * Decodes client data read from a file.
   *
   * @throws FormatException if there are not exactly 20 numbers, or if a number is invalid
   * @throws UnsupportedFeatureException if floating-point numbers are scaled by exponents
   */
  static ScaleOffsetParameters of(int[] data) {
    if (data.length != COUNT) {
      throw fault("client data", COUNT, data.length);
    }
    Kind kind =
        switch (within("class", data[3], 0, 1)) {
          case 1 -> Kind.FLOAT;
          default -> within("sign", data[5], 0, 1) == 0 ? Kind.UNSIGNED : Kind.SIGNED;
        };
    int scale = within("scale type", data[0], 0, 2);
    if (kind == Kind.FLOAT && scale == EXPONENT_SCALE) {
      throw new UnsupportedFeatureException("scale-offset by exponents", "reading a chunk");
    }
    int demanded = kind == Kind.FLOAT ? DECIMAL_SCALE : INTEGER_SCALE;
    within("scale type of class " + data[3], scale, demanded, demanded);
    int size = data[4];
    boolean known = size == 4 || size == 8 || kind != Kind.FLOAT && (size == 1 || size == 2);
    if (!known) {
      throw fault("element size of class " + data[3], "1, 2, 4 or 8; 4 or 8 of a float", size);
    }
    int factor = kind == Kind.FLOAT ? data[1] : Math.max(0, data[1]);
    if (kind != Kind.FLOAT && factor > 8 * size) {
      throw fault("bits of an element", "at most " + 8 * size, factor);
    }
    Order order = within("byte order", data[6], 0, 1) == 0 ? Order.LITTLE : Order.BIG;
    long value = Integer.toUnsignedLong(data[8]) | (long) data[9] << 32;
    long clean = value & -1L >>> (64 - 8 * size);
    OptionalLong fill =
        within("fill value defined", data[7], 0, 1) == 0
            ? OptionalLong.empty()
            : OptionalLong.of(clean);
    return new ScaleOffsetParameters(
        kind, factor, Integer.toUnsignedLong(data[2]), size, order, fill);
  }

  /**
   * Returns the client data for a new dataset.
   *
   * @param scale scale type that the user chose
   * @param factor scale factor that the user chose
   * @param chunk the chunks of the dataset
   * @return the client data; empty if the filter cannot be applied to the chunks
   */
  static Optional<int[]> bind(int scale, int factor, FilterTarget.Chunk chunk) {
    int[] data = new int[COUNT];
    data[0] = scale;
    data[1] = factor;
    data[2] = (int) chunk.elements();
    if (chunk.elements() > 0xffffffffL || !describe(chunk.type(), scale, data)) {
      return Optional.empty();
    }
    data[4] = chunk.type().size();
    if (scale == INTEGER_SCALE && factor > 8 * data[4]) {
      return Optional.empty();
    }
    chunk
        .fill()
        .map(value -> bits(value, data[6] == 0 ? Order.LITTLE : Order.BIG))
        .ifPresent(bits -> {
          data[7] = 1;
          data[8] = (int) (long) bits;
          data[9] = (int) (bits >>> 32);
        });
    return Optional.of(data);
  }

  private static boolean describe(Datatype type, int scale, int[] data) {
    return switch (type) {
      case FixedPoint number -> {
        data[5] = number.signedness() == Signedness.SIGNED ? 1 : 0;
        data[6] = number.order() == Endian.BIG ? 1 : 0;
        yield scale == INTEGER_SCALE && number.size() <= 8 && Integer.bitCount(number.size()) == 1;
      }
      case FloatingPoint number -> {
        data[3] = 1;
        data[6] = number.order() == Endian.BIG ? 1 : 0;
        yield scale == DECIMAL_SCALE && number.isIeee() && number.size() >= 4;
      }
      default -> false;
    };
  }

  private static long bits(MemorySegment value, Order order) {
    byte[] bytes = value.toArray(ValueLayout.JAVA_BYTE);
    return NumberBytes.get(bytes, 0, bytes.length, order);
  }

  /** Returns the size of an element in bits. */
  int width() {
    return 8 * size;
  }

  /** Extends the bits of an element to 64 bits, according to the signedness of its type. */
  long extended(long bits) {
    int unused = 64 - width();
    return kind == Kind.SIGNED ? bits << unused >> unused : bits;
  }

  /** Returns whether the filter passes all data through unchanged. */
  boolean isIdle() {
    return kind != Kind.FLOAT && factor == width();
  }

  private static int within(String what, int value, int low, int high) {
    if (value < low || value > high) {
      throw fault(what, low == high ? low : low + ".." + high, value);
    }
    return value;
  }

  private static FormatException fault(String what, Object expected, Object actual) {
    return new FormatException("scale-offset: " + what, expected, actual);
  }
}
