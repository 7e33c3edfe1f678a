package io.skerry.internal.value;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
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
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.selection.SelectionEncoding;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Encodes values as elements of a file: the inverse of {@link ValueReader}. Content of variable
 * length is stored in a {@link HeapSink}, inner content before outer content. Local.
 *
 * <p>A whole number is also accepted for a floating-point type (rounded to nearest), for a complex
 * type (as the real part) and for an enumeration; a floating-point number is also accepted for a
 * complex type.
 *
 * <p>An {@link IllegalArgumentException} is thrown for a value of the wrong kind, a number outside
 * the range of its type, a string longer than its field, and a name that the enumeration or
 * compound does not contain.
 */
public final class ValueWriter {
  private final Widths widths;
  private final HeapSink heap;

  /**
   * Makes a writer.
   *
   * @param widths the widths of the file
   * @param heap stores content of variable length and regions
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
      case FixedPoint t when value instanceof Value.Whole(BigInteger whole) -> whole(t, whole, out);
      case FloatingPoint t when value instanceof Value.Real real -> real(t, real.value(), out);
      case FloatingPoint t when value instanceof Value.Whole(BigInteger whole) ->
          rounded(t, whole, out);
      case ComplexType t when value instanceof Value.Complex complex -> {
        int half = t.part().size();
        real(t.part(), complex.real().value(), out.asSlice(0, half));
        real(t.part(), complex.imaginary().value(), out.asSlice(half, half));
      }
      case ComplexType t when value instanceof Value.Real || value instanceof Value.Whole -> {
        out.fill((byte) 0);
        write(t.part(), value, out.asSlice(0, t.part().size()));
      }
      case Time t when value instanceof Value.Time(BigInteger time) ->
          bits(unsigned(time, t.precision(), type), t.order(), out);
      case StringType t when value instanceof Value.Text(String text) -> text(t, text, out);
      case BitField t when value instanceof Value.Bits set ->
          bits(unsigned(set.value(), t.precision(), type).shiftLeft(t.offset()), t.order(), out);
      case Opaque t when value instanceof Value.Opaque opaque -> {
        check(opaque.bytes().size() == t.size(), type, value);
        out.copyFrom(opaque.bytes().segment());
      }
      case Enumeration t when value instanceof Value.Enumerated named ->
          whole(t.base(), BigInteger.valueOf(number(t, named)), out);
      case Enumeration t when value instanceof Value.Whole(BigInteger whole) ->
          whole(t.base(), whole, out);
      case Compound t -> compound(t, value, out);
      case ArrayType t when value instanceof Value.Array array -> {
        check(array.elements().size() == t.size() / t.base().size(), type, value);
        out.copyFrom(writeAll(t.base(), array.elements()));
      }
      case VariableLength t -> variable(t, value, out);
      case Reference t -> reference(t, value, out);
      default -> throw wrong(type, value);
    }
  }

  private static void check(boolean fits, Datatype type, Value value) {
    if (!fits) {
      throw wrong(type, value);
    }
  }

  private static IllegalArgumentException wrong(Datatype type, Value value) {
    return new IllegalArgumentException(
        "the value does not fit the type: type="
            + type
            + " kind="
            + value.getClass().getSimpleName()
            + " value="
            + value);
  }

  private static void whole(FixedPoint type, BigInteger value, MemorySegment out) {
    boolean signed = type.signedness() == Signedness.SIGNED;
    boolean fits =
        signed
            ? value.bitLength() < type.precision()
            : value.signum() >= 0 && value.bitLength() <= type.precision();
    if (!fits) {
      throw new IllegalArgumentException(
          "number outside its type: type=" + type + " value=" + value);
    }
    BigInteger mask = BigInteger.ONE.shiftLeft(type.precision()).subtract(BigInteger.ONE);
    bits(value.and(mask).shiftLeft(type.offset()), type.order(), out);
  }

  private static BigInteger unsigned(BigInteger value, int bits, Datatype type) {
    if (value.signum() < 0 || value.bitLength() > bits) {
      throw new IllegalArgumentException("bits outside the type: type=" + type + " value=" + value);
    }
    return value;
  }

  private static void bits(BigInteger value, Endian order, MemorySegment out) {
    long size = out.byteSize();
    for (long i = 0; i < size; i++) {
      byte b = value.shiftRight((int) (8 * i)).byteValue();
      out.set(ValueLayout.JAVA_BYTE, order == Endian.LITTLE ? i : size - 1 - i, b);
    }
  }

  private static void real(FloatingPoint type, double value, MemorySegment out) {
    MemorySegment in = MemorySegment.ofArray(new byte[8]);
    bits(
        new BigInteger(Long.toUnsignedString(Double.doubleToRawLongBits(value))),
        Endian.LITTLE,
        in);
    Conversion.between(Datatype.F64, type).convert(in, out, 1);
  }

  private static void rounded(FloatingPoint type, BigInteger value, MemorySegment out) {
    int bytes = value.bitLength() / 8 + 1;
    MemorySegment in = MemorySegment.ofArray(new byte[bytes]);
    bits(value, Endian.LITTLE, in);
    Conversion.between(FixedPoint.of(bytes, Signedness.SIGNED, Endian.LITTLE), type)
        .convert(in, out, 1);
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

  private static long number(Enumeration type, Value.Enumerated value) {
    if (value.name().isEmpty()) {
      return value.value();
    }
    return type.valueOf(value.name().get()).orElseThrow(() -> wrong(type, value));
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
      // An address of 0 denotes no content. Readers would mistake such a string for a null string.
      out.fill((byte) 0);
      return;
    }
    heap.put(out, length, content, widths);
  }

  private void pointer(MemorySegment content, ByteWriter out) {
    GlobalHeapWriter.Reference at = heap.add(content);
    widths.writeAddress(out, at.collection());
    out.u32(at.index());
  }

  private void reference(Reference type, Value value, MemorySegment out) {
    if (value instanceof Value.NullReference) {
      out.fill((byte) 0);
      return;
    }
    ByteWriter element = ByteWriter.create();
    switch (type.kind()) {
      case OBJECT -> {
        if (!(value instanceof Value.ObjectReference(Value.Target target))) {
          throw wrong(type, value);
        }
        widths.writeAddress(element, here(target));
      }
      case REGION -> {
        if (!(value instanceof Value.RegionReference region)) {
          throw wrong(type, value);
        }
        ByteWriter body = ByteWriter.create();
        widths.writeAddress(body, here(region.target()));
        SelectionCodec.encodeSelection(region.region(), SelectionEncoding.LIBRARY_EARLIEST, body);
        pointer(body.written(), element);
      }
      case OBJECT_2, REGION_2, ATTRIBUTE ->
          throw new UnsupportedFeatureException(
              "writing references in the form of HDF5 1.12", "type " + type);
    }
    put(element, out);
  }

  private static long here(Value.Target target) {
    if (target.file().isPresent()) {
      throw new IllegalArgumentException("a reference to another file: target=" + target);
    }
    return target.address();
  }

  private static void put(ByteWriter element, MemorySegment out) {
    check(element, out);
    MemorySegment.copy(element.written(), 0, out, 0, element.position());
  }

  private static void check(ByteWriter element, MemorySegment out) {
    if (element.position() != out.byteSize()) {
      throw new IllegalArgumentException(
          "the type has another size than the file's widths ask for: expected="
              + element.position()
              + " actual="
              + out.byteSize());
    }
  }
}
