package io.skerry.integration.lifecycle;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Reference;
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.value.Value;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Formats values as {@code tools/read_sparse.py --json} prints them: numbers, lists, and bytes as
 * hexadecimal digits. Uses none of the code that encodes values.
 */
final class PlainJson {
  private final ToLongFunction<String> addresses;

  /**
   * Creates a formatter.
   *
   * @param addresses a function from the path of an object to its address
   */
  PlainJson(ToLongFunction<String> addresses) {
    this.addresses = addresses;
  }

  String of(Datatype type, Value value) {
    return switch (type) {
      case FixedPoint t -> {
        BigInteger whole = ((Value.Whole) value).value();
        yield t.isWhole() ? whole.toString() : bits(whole, t.precision(), t.offset(), t);
      }
      case FloatingPoint _ -> real(((Value.Real) value).value());
      case Enumeration _ -> Long.toString(((Value.Enumerated) value).value());
      case BitField _ -> ((Value.Bits) value).value().toString();
      case Opaque _ -> hex(((Value.Opaque) value).bytes().segment().toArray(ValueLayout.JAVA_BYTE));
      case StringType t -> hex(padded(t, ((Value.Text) value).value()));
      case Compound t ->
          list(
              t.members().stream()
                  .map(m -> of(m.type(), ((Value.Compound) value).field(m.name()).orElseThrow()))
                  .toList());
      case ArrayType t -> {
        Iterator<Value> elements = ((Value.Array) value).elements().iterator();
        yield array(t.dimensions(), t.base(), elements);
      }
      case VariableLength t ->
          switch (value) {
            case Value.Text(String text) -> hex(text.getBytes(StandardCharsets.UTF_8));
            case Value.Sequence(List<Value> elements) ->
                list(elements.stream().map(element -> of(t.base(), element)).toList());
            default -> throw new IllegalArgumentException("type=" + type + " value=" + value);
          };
      case Reference t -> reference(t, value);
      default -> throw new IllegalArgumentException("not in any family: type=" + type);
    };
  }

  private String array(List<Integer> dimensions, Datatype base, Iterator<Value> elements) {
    if (dimensions.isEmpty()) {
      return of(base, elements.next());
    }
    String[] parts = new String[dimensions.getFirst()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = array(dimensions.subList(1, dimensions.size()), base, elements);
    }
    return list(List.of(parts));
  }

  private static String real(double value) {
    if (Double.isNaN(value)) {
      return quoted("nan");
    }
    if (Double.isInfinite(value)) {
      return quoted(value > 0 ? "inf" : "-inf");
    }
    return Double.toString(value);
  }

  /** Returns the bytes of a value with zero padding bits, in hexadecimal digits. */
  private static String bits(BigInteger value, int precision, int offset, FixedPoint type) {
    BigInteger mask = BigInteger.ONE.shiftLeft(precision).subtract(BigInteger.ONE);
    long shifted = value.and(mask).shiftLeft(offset).longValue();
    byte[] little = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(shifted).array();
    byte[] bytes = Arrays.copyOf(little, type.size());
    if (type.order() == Endian.BIG) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = little[bytes.length - 1 - i];
      }
    }
    return hex(bytes);
  }

  private static byte[] padded(StringType type, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    byte[] field = Arrays.copyOf(utf8, type.size());
    if (type.padding() == StringPadding.SPACE_PADDED) {
      Arrays.fill(field, utf8.length, field.length, (byte) ' ');
    }
    return field;
  }

  private String reference(Reference type, Value value) {
    return switch (value) {
      case Value.NullReference _ -> hex(new byte[type.size()]);
      case Value.ObjectReference(Value.Target target) ->
          hex(
              ByteBuffer.allocate(8)
                  .order(ByteOrder.LITTLE_ENDIAN)
                  .putLong(addresses.applyAsLong(target.path().orElseThrow()))
                  .array());
      // The model does not know the address of a region in the global heap.
      default -> quoted("*");
    };
  }

  private static String hex(byte[] bytes) {
    return quoted(HexFormat.of().formatHex(bytes));
  }

  static String quoted(String plain) {
    return '"' + plain + '"';
  }

  static String list(List<?> items) {
    return items.stream().map(Object::toString).collect(Collectors.joining(",", "[", "]"));
  }
}
