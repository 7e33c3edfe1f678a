package io.skerry.jobs.argument;

import io.skerry.datatype.BitField;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.StringType;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import io.skerry.internal.value.ValueWriter;
import io.skerry.jobs.run.JobException;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Parses element literals given on the command line. */
public final class ElementSyntax {
  private ElementSyntax() {}

  /**
   * Parses a literal into the bytes of one element, as stored in a file.
   *
   * @throws JobException if the text is not a literal of the datatype
   */
  public static Bytes parse(Datatype type, String text) {
    try {
      Optional<Value> value = value(type, text.strip());
      if (value.isEmpty()) {
        return hexadecimal(type, text.strip());
      }
      ValueWriter writer =
          new ValueWriter(
              Widths.EIGHT,
              _ -> {
                throw new IllegalArgumentException("no value of variable length is possible here");
              });
      return Bytes.of(writer.writeAll(type, List.of(value.get())));
    } catch (IllegalArgumentException e) {
      throw new JobException(
          "not a value of the dataset's type: value="
              + text
              + " type="
              + type
              + " cause="
              + e.getMessage(),
          e);
    }
  }

  private static Optional<Value> value(Datatype type, String text) {
    return switch (type) {
      case FixedPoint _ -> Optional.of(new Value.Whole(whole(text)));
      case FloatingPoint real -> Optional.of(new Value.Real(number(text), real.mantissaSize() + 1));
      case BitField bits -> Optional.of(new Value.Bits(whole(text), bits.size()));
      case StringType _ -> Optional.of(new Value.Text(text));
      case Enumeration names -> Optional.of(enumerated(names, text));
      default -> Optional.empty();
    };
  }

  private static BigInteger whole(String text) {
    return text.toLowerCase(Locale.ROOT).startsWith("0x")
        ? new BigInteger(text.substring(2), 16)
        : new BigInteger(text);
  }

  private static double number(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "inf", "+inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private static Value enumerated(Enumeration type, String text) {
    return type.valueOf(text).isPresent()
        ? new Value.Enumerated(type.valueOf(text).getAsLong(), Optional.of(text))
        : new Value.Enumerated(ofEnumeration(whole(text), type), Optional.empty());
  }

  private static long ofEnumeration(BigInteger value, Enumeration type) {
    if (value.bitLength() >= Long.SIZE) {
      throw new IllegalArgumentException("a value beyond the range of " + type + ": " + value);
    }
    return value.longValue();
  }

  private static Bytes hexadecimal(Datatype type, String text) {
    if (!text.toLowerCase(Locale.ROOT).startsWith("0x")) {
      throw new IllegalArgumentException("0x and hexadecimal digits are expected");
    }
    byte[] bytes = HexFormat.of().parseHex(text.substring(2));
    if (bytes.length != type.size()) {
      throw new IllegalArgumentException(
          "an element has other bytes: expected=" + type.size() + " actual=" + bytes.length);
    }
    return Bytes.of(MemorySegment.ofArray(bytes));
  }
}
