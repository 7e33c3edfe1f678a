package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The encodings of numbers, choices and text, of which most values of properties consist.
 *
 * <pre>
 * unsigned       04 | u32; a switch: 0 or 1
 * unsigneds      04 | u32 each; their number is fixed
 * wide           08 | u64
 * size           n  | n bytes, the fewest that hold the number, at least 1
 * optional size  as size, or n = 0: the default of the library
 * real           08 | IEEE 754 double
 * reals          08 | 8 bytes each; their number is fixed
 * code, choice   u8; a switch: 0 or 1
 * signed code    i32, no size
 * text           size: bytes of the text | text, no NUL
 * expression     size: bytes with the NUL, 0 if absent | text | 00
 * names          (name | 00) each | 00
 * </pre>
 *
 * <p>Source: property lists encoded by HDF5 1.10.8, 1.14.3 and 2.0.0.
 */
final class Scalars {
  private static final int UNSIGNED_BYTES = 4;
  private static final int WIDE_BYTES = 8;
  private static final long U32_MAX = 0xffffffffL;

  static final ValueCodec<Long> UNSIGNED =
      ValueCodec.of(
          in -> {
            expectWidth(in, UNSIGNED_BYTES);
            return in.u32();
          },
          (value, out) -> {
            out.u8(UNSIGNED_BYTES);
            u32(value, out);
          });

  /** An unsigned number of 64 bits; a value above 2^63-1 is represented as a negative number. */
  static final ValueCodec<Long> WIDE =
      ValueCodec.of(
          in -> {
            expectWidth(in, WIDE_BYTES);
            return in.i64();
          },
          (value, out) -> out.u8(WIDE_BYTES).u64(value));

  /** An unsigned number of 64 bits; a value above 2^63-1 is represented as a negative number. */
  static final ValueCodec<Long> SIZE = ValueCodec.of(Scalars::size, Scalars::size);

  static final ValueCodec<Optional<Long>> OPTIONAL_SIZE =
      ValueCodec.of(
          in -> {
            int width = in.u8();
            return width == 0 ? Optional.empty() : Optional.of(sized(in, width));
          },
          (value, out) -> value.ifPresentOrElse(size -> size(size, out), () -> out.u8(0)));

  static final ValueCodec<Double> REAL =
      ValueCodec.of(
          in -> {
            expectWidth(in, WIDE_BYTES);
            return plainReal(in);
          },
          (value, out) -> plainReal(value, out.u8(WIDE_BYTES)));

  static final ValueCodec<Switch> SWITCH = choice(Switch.values());

  /** A switch in the form of an unsigned number. */
  static final ValueCodec<Switch> UNSIGNED_SWITCH =
      ValueCodec.of(
          in -> {
            expectWidth(in, UNSIGNED_BYTES);
            return wideSwitch(in);
          },
          (value, out) -> out.u8(UNSIGNED_BYTES).u32(value.ordinal()));

  /** A number with its sign, used for choices that include -1. */
  static final ValueCodec<Integer> SIGNED_CODE =
      ValueCodec.of(ByteReader::i32, (value, out) -> out.u32(value));

  static final ValueCodec<String> TEXT =
      ValueCodec.of(
          in -> in.text(length(in)),
          (value, out) -> {
            byte[] text = StoredText.encode(value);
            size(text.length, out);
            out.bytes(text);
          });

  static final ValueCodec<Optional<String>> EXPRESSION =
      ValueCodec.of(Scalars::expression, Scalars::expression);

  static final ValueCodec<List<String>> NAMES = ValueCodec.of(Scalars::names, Scalars::names);

  private Scalars() {}

  /** Returns the codec of a fixed number of unsigned numbers. */
  static ValueCodec<List<Long>> unsigneds(int number) {
    return ValueCodec.of(
        in -> {
          expectWidth(in, UNSIGNED_BYTES);
          List<Long> values = new ArrayList<>();
          for (int i = 0; i < number; i++) {
            values.add(in.u32());
          }
          return List.copyOf(values);
        },
        (values, out) -> {
          checkNumber(number, values.size());
          out.u8(UNSIGNED_BYTES);
          values.forEach(value -> u32(value, out));
        });
  }

  /** Returns the codec of a fixed number of real numbers. */
  static ValueCodec<List<Double>> reals(int number) {
    return ValueCodec.of(
        in -> {
          expectWidth(in, WIDE_BYTES);
          List<Double> values = new ArrayList<>();
          for (int i = 0; i < number; i++) {
            values.add(plainReal(in));
          }
          return List.copyOf(values);
        },
        (values, out) -> {
          checkNumber(number, values.size());
          out.u8(WIDE_BYTES);
          values.forEach(value -> plainReal(value, out));
        });
  }

  private static void checkNumber(int expected, int actual) {
    if (expected != actual) {
      throw new IllegalArgumentException(
          "values of a property: expected=" + expected + " actual=" + actual);
    }
  }

  /** Returns the codec of a number from 0 to {@code most}. */
  static ValueCodec<Integer> code(int most) {
    return ValueCodec.of(
        in -> {
          int code = in.u8();
          if (code > most) {
            throw in.fault("value", "0.." + most, code);
          }
          return code;
        },
        (code, out) -> {
          if (code < 0 || code > most) {
            throw new IllegalArgumentException("value: actual=" + code + " limit=" + most);
          }
          out.u8(code);
        });
  }

  /** Returns the codec of a choice whose code is its index. */
  static <T extends Enum<T>> ValueCodec<T> choice(T[] all) {
    return ValueCodec.of(in -> choice(in, all), (value, out) -> out.u8(value.ordinal()));
  }

  static <T extends Enum<T>> T choice(ByteReader in, T[] all) {
    int code = in.u8();
    if (code >= all.length) {
      throw in.fault("value", "0.." + (all.length - 1), code);
    }
    return all[code];
  }

  /** Reads a switch of four bytes. */
  static Switch wideSwitch(ByteReader in) {
    long code = in.u32();
    if (code > 1) {
      throw in.fault("switch", "0 or 1", code);
    }
    return code == 0 ? Switch.OFF : Switch.ON;
  }

  /** Appends a number of four bytes without its width. */
  static void u32(long value, ByteWriter out) {
    if (value < 0 || value > U32_MAX) {
      throw new IllegalArgumentException("value: actual=" + value + " limit=" + U32_MAX);
    }
    out.u32(value);
  }

  static double plainReal(ByteReader in) {
    return Double.longBitsToDouble(in.i64());
  }

  static void plainReal(double value, ByteWriter out) {
    out.u64(Double.doubleToRawLongBits(value));
  }

  /** Reads a size; a value above 2^63-1 is returned as a negative number. */
  static long size(ByteReader in) {
    return sized(in, in.u8());
  }

  private static long sized(ByteReader in, int width) {
    if (width < 1 || width > 8) {
      throw in.fault("bytes of a size", "1..8", width);
    }
    return in.uint(width);
  }

  static void size(long value, ByteWriter out) {
    int width = (63 - Long.numberOfLeadingZeros(value | 1)) / 8 + 1;
    out.u8(width).uint(value, width);
  }

  /**
   * Reads the number of items that follow.
   *
   * @param each the minimum size of an item, in bytes
   */
  static int count(ByteReader in, String what, int each) {
    long count = size(in);
    if (count < 0 || count > in.remaining() / each) {
      throw in.fault(what, "at most " + in.remaining() / each, Long.toUnsignedString(count));
    }
    return (int) Math.min(count, Integer.MAX_VALUE);
  }

  /** Reads the size, in bytes, of the part that follows. */
  static int length(ByteReader in) {
    return count(in, "bytes of a part", 1);
  }

  static void expectWidth(ByteReader in, int width) {
    in.expect("bytes of a number", width, in.u8());
  }

  private static Optional<String> expression(ByteReader in) {
    int bytes = length(in);
    if (bytes == 0) {
      return Optional.empty();
    }
    ByteReader part = in.sub(bytes, in.structure());
    String text = part.textToNul();
    part.expect("bytes after the text", 0, part.remaining());
    return Optional.of(text);
  }

  private static void expression(Optional<String> text, ByteWriter out) {
    byte[] bytes = text.map(StoredText::encode).orElseGet(() -> new byte[0]);
    size(text.isPresent() ? bytes.length + 1L : 0, out);
    out.bytes(bytes).zeros(text.isPresent() ? 1 : 0);
  }

  private static List<String> names(ByteReader in) {
    List<String> names = new ArrayList<>();
    for (String name = in.textToNul(); !name.isEmpty(); name = in.textToNul()) {
      names.add(name);
    }
    return List.copyOf(names);
  }

  private static void names(List<String> names, ByteWriter out) {
    for (String name : names) {
      terminated(name, out);
    }
    out.u8(0);
  }

  /** Appends text and a NUL. */
  static void terminated(String text, ByteWriter out) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("text holds a NUL: text=" + text);
    }
    out.text(text).u8(0);
  }
}
