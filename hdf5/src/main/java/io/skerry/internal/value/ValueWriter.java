package io.skerry.internal.value;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Reference;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import io.skerry.format.block.Widths;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Encodes values as elements of a file: the inverse of {@link ValueReader}. Variable-length content
 * is stored in a {@link HeapSink}, inner content before outer content. Local.
 *
 * <p>A whole number is also accepted for a floating-point type (rounded to nearest), for a complex
 * type (as the real part) and for an enumeration; a floating-point number is also accepted for a
 * complex type, and a complex number for a compound with two members. A number too large for a
 * floating-point type becomes infinite.
 *
 * <p>An {@link IllegalArgumentException} is thrown for a value of the wrong kind or size, an
 * integer, time or bit field outside the range of its type, a string longer than its field, a name
 * that the enumeration or compound does not contain, or a reference to another file. An {@link
 * io.skerry.exception.UnsupportedFeatureException} is thrown if a reference that is not null has a
 * type introduced in HDF5 1.12.
 */
public final class ValueWriter {
  private final Widths widths;
  private final HeapSink heap;

  /**
   * Creates a writer.
   *
   * @param widths the widths of the file
   * @param heap the sink that stores variable-length content and regions
   */
  public ValueWriter(Widths widths, HeapSink heap) {
    this.widths = widths;
    this.heap = heap;
  }

  /** Encodes values as consecutive elements. */
  public MemorySegment writeAll(Datatype type, List<Value> values) {
    long bytes = Math.multiplyExact((long) values.size(), type.size());
    MemorySegment out = HeapBytes.allocate(bytes);
    for (int i = 0; i < values.size(); i++) {
      write(type, values.get(i), out.asSlice((long) i * type.size(), type.size()));
    }
    return out;
  }

  private void write(Datatype type, Value value, MemorySegment out) {
    switch (type) {
      case FixedPoint t when value instanceof Value.Whole(BigInteger whole) ->
          NumberWriter.whole(t, whole, out);
      case FloatingPoint t when value instanceof Value.Real real ->
          NumberWriter.real(t, real.value(), out);
      case FloatingPoint t when value instanceof Value.Whole(BigInteger whole) ->
          NumberWriter.rounded(t, whole, out);
      case ComplexType t when value instanceof Value.Complex complex -> {
        int half = t.part().size();
        NumberWriter.real(t.part(), complex.real().value(), out.asSlice(0, half));
        NumberWriter.real(t.part(), complex.imaginary().value(), out.asSlice(half, half));
      }
      case ComplexType t when value instanceof Value.Real || value instanceof Value.Whole -> {
        out.fill((byte) 0);
        write(t.part(), value, out.asSlice(0, t.part().size()));
      }
      case Time t when value instanceof Value.Time(BigInteger time) ->
          NumberWriter.time(t, time, out);
      case StringType t when value instanceof Value.Text(String text) -> text(t, text, out);
      case BitField t when value instanceof Value.Bits set ->
          NumberWriter.bitField(t, set.value(), out);
      case Opaque t when value instanceof Value.Opaque opaque -> {
        check(opaque.bytes().size() == t.size(), type, value);
        out.copyFrom(opaque.bytes().segment());
      }
      case Enumeration t when value instanceof Value.Enumerated named ->
          enumerated(t, number(t, named), out);
      case Enumeration t when value instanceof Value.Whole(BigInteger whole) ->
          enumerated(t, whole, out);
      case Compound t -> compound(t, value, out);
      case ArrayType t when value instanceof Value.Array array -> {
        check(array.elements().size() == t.size() / t.base().size(), type, value);
        out.copyFrom(writeAll(t.base(), array.elements()));
      }
      case VariableLength t -> variable(t, value, out);
      case Reference t -> new ReferenceWriter(widths, heap).write(t, value, out);
      default -> throw wrong(type, value);
    }
  }

  private static void check(boolean fits, Datatype type, Value value) {
    if (!fits) {
      throw wrong(type, value);
    }
  }

  /** Returns the exception for a value that does not match the type. */
  static IllegalArgumentException wrong(Datatype type, Value value) {
    return new IllegalArgumentException(
        "the value does not fit the type: type="
            + type
            + " kind="
            + value.getClass().getSimpleName()
            + " value="
            + value);
  }

  private static void text(StringType type, String text, MemorySegment out) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int limit = type.padding() == StringPadding.NULL_TERMINATED ? type.size() - 1 : type.size();
    if (utf8.length > limit) {
      throw new IllegalArgumentException(
          "text longer than its field: bytes=" + utf8.length + " limit=" + limit);
    }
    out.fill((byte) (type.padding() == StringPadding.SPACE_PADDED ? ' ' : 0));
    MemorySegment.copy(MemorySegment.ofArray(utf8), 0, out, 0, utf8.length);
  }

  private static BigInteger number(Enumeration type, Value.Enumerated value) {
    long number =
        value.name().isEmpty()
            ? value.value()
            : type.valueOf(value.name().get()).orElseThrow(() -> wrong(type, value));
    boolean isUnsignedLong =
        type.size() == Long.BYTES && type.base().signedness() == Signedness.UNSIGNED;
    return isUnsignedLong
        ? new BigInteger(Long.toUnsignedString(number))
        : BigInteger.valueOf(number);
  }

  /**
   * Encodes the value of a member as a whole stored element, including the padding bits, and any
   * other integer as a value of the base type, as {@link ValueReader} decodes them.
   */
  private static void enumerated(Enumeration type, BigInteger value, MemorySegment out) {
    FixedPoint base = type.base();
    boolean isMember = value.bitLength() <= Long.SIZE && type.nameOf(value.longValue()).isPresent();
    FixedPoint stored =
        isMember ? FixedPoint.of(base.size(), base.signedness(), base.order()) : base;
    NumberWriter.whole(stored, value, out);
  }

  private void compound(Compound type, Value value, MemorySegment out) {
    if (value instanceof Value.Complex complex && type.members().size() == 2) {
      member(type.members().get(0), complex.real(), out);
      member(type.members().get(1), complex.imaginary(), out);
      return;
    }
    if (!(value instanceof Value.Compound fields)
        || fields.fields().size() != type.members().size()) {
      throw wrong(type, value);
    }
    for (Compound.Member member : type.members()) {
      member(member, fields.field(member.name()).orElseThrow(() -> wrong(type, value)), out);
    }
  }

  private void member(Compound.Member member, Value value, MemorySegment out) {
    write(member.type(), value, out.asSlice(member.offset(), member.type().size()));
  }

  private void variable(VariableLength type, Value value, MemorySegment out) {
    boolean text = type.kind() == VariableLength.Kind.STRING;
    MemorySegment content;
    long length;
    if (text && value instanceof Value.Text(String characters)) {
      content = MemorySegment.ofArray(characters.getBytes(StandardCharsets.UTF_8));
      length = content.byteSize();
    } else if (!text && value instanceof Value.Sequence(List<Value> elements)) {
      content = writeAll(type.base(), elements);
      length = elements.size();
    } else {
      throw wrong(type, value);
    }
    if (length == 0 && !text) {
      // An address of 0 denotes no content. An empty string is stored nevertheless, since
      // readers would otherwise mistake it for a null string.
      out.fill((byte) 0);
      return;
    }
    heap.put(out, length, content, widths);
  }
}
