package io.skerry.chunk.datatype;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.BitPadding;
import io.skerry.datatype.CharacterSet;
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
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The decoder of {@link DatatypeCodec}. */
final class DatatypeReader {
  private final ByteReader in;

  DatatypeReader(ByteReader in) {
    this.in = in;
  }

  Datatype read(int depth) {
    if (depth > DatatypeCodec.MAX_DEPTH) {
      throw in.fault("types nested too deeply", "at most " + DatatypeCodec.MAX_DEPTH, depth);
    }
    int head = in.u8();
    int version = head >> 4;
    if (version < 1 || version > 5) {
      throw in.fault("datatype version", "1..5", version);
    }
    int bits = (int) in.uint(3);
    long size = in.u32();
    if (size < 1 || size > Integer.MAX_VALUE) {
      throw in.fault("datatype size", "1.." + Integer.MAX_VALUE, size);
    }
    try {
      return body(head & 15, version, bits, (int) size, depth);
    } catch (IllegalArgumentException e) {
      throw in.fault("datatype fields", "a possible type", String.valueOf(e.getMessage()));
    }
  }

  private Datatype body(int typeClass, int version, int bits, int size, int depth) {
    return switch (typeClass) {
      case 0 ->
          new FixedPoint(
              size,
              order(bits),
              (bits & 8) == 0 ? Signedness.UNSIGNED : Signedness.SIGNED,
              in.u16(),
              in.u16(),
              bitPadding(bits >> 1 & 3));
      case 1 -> floatingPoint(bits, size);
      case 2 -> new Time(size, order(bits), in.u16());
      case 3 -> new StringType(size, padding(bits), characterSet(bits >> 4));
      case 4 -> new BitField(size, order(bits), in.u16(), in.u16(), bitPadding(bits >> 1 & 3));
      case 5 -> new Opaque(size, tag(bits & 0xff));
      case 6 -> compound(version, bits & 0xffff, size, depth);
      case 7 -> new Reference(size, choose("reference kind", Reference.Kind.values(), bits & 15));
      case 8 -> enumeration(version, bits & 0xffff, size, depth);
      case 9 ->
          new VariableLength(
              size,
              choose("variable-length kind", VariableLength.Kind.values(), bits & 15),
              read(depth + 1),
              padding(bits >> 4),
              characterSet(bits >> 8));
      case 10 -> array(version, size, depth);
      case 11 -> complex(bits, size, depth);
      default ->
          throw new UnsupportedFeatureException("datatype class " + typeClass, in.structure());
    };
  }

  /**
   * Decodes the padding: bits 0, 1 and 2 are the values of the padding bits below, above and inside
   * the number.
   */
  private static BitPadding bitPadding(int bits) {
    return new BitPadding(bit(bits), bit(bits >> 1), bit(bits >> 2));
  }

  private static BitPadding.Bit bit(int bits) {
    return (bits & 1) == 0 ? BitPadding.Bit.ZERO : BitPadding.Bit.ONE;
  }

  private FloatingPoint floatingPoint(int bits, int size) {
    Endian order =
        switch (bits & 0x41) {
          case 0 -> Endian.LITTLE;
          case 1 -> Endian.BIG;
          case 0x41 -> Endian.VAX;
          default -> throw in.fault("floating-point byte order bits", "0, 1 or 0x41", bits & 0x41);
        };
    return new FloatingPoint(
        size,
        order,
        bitPadding(bits >> 1 & 7),
        choose("normalization", FloatingPoint.Normalization.values(), bits >> 4 & 3),
        bits >> 8 & 0xff,
        in.u16(),
        in.u16(),
        in.u8(),
        in.u8(),
        in.u8(),
        in.u8(),
        in.u32());
  }

  private Compound compound(int version, int count, int size, int depth) {
    List<Compound.Member> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = name(version);
      long offset = in.uint(version < 3 ? 4 : DatatypeWriter.offsetWidth(size));
      if (offset >= size) {
        throw in.fault("offset of member " + name, "below " + size, offset);
      }
      List<Integer> dimensions = version == 1 ? oldDimensions() : List.of();
      Datatype type = read(depth + 1);
      members.add(
          new Compound.Member(
              name, (int) offset, dimensions.isEmpty() ? type : new ArrayType(dimensions, type)));
    }
    return new Compound(size, members);
  }

  /**
   * Reads the dimensions of a member of a version 1 compound: rank, permutation, and four sizes. A
   * member of rank 0 is not an array. Array types were introduced only with version 2.
   */
  private List<Integer> oldDimensions() {
    int rank = in.u8();
    if (rank > 4) {
      throw in.fault("dimensions of a compound member", "0..4", rank);
    }
    in.skip(3 + 4 + 4);
    List<Integer> dimensions = dimensions(rank);
    in.skip(4L * (4 - rank));
    return dimensions;
  }

  private Enumeration enumeration(int version, int count, int size, int depth) {
    Datatype base = read(depth + 1);
    if (!(base instanceof FixedPoint integer) || integer.size() > 8) {
      throw new UnsupportedFeatureException("enumeration of " + base, in.structure());
    }
    if (integer.size() != size) {
      throw in.fault("enumeration size", integer.size(), size);
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(name(version));
    }
    List<Enumeration.Member> members = new ArrayList<>();
    for (String name : names) {
      long raw = in.uint(size);
      int unused = 64 - 8 * size;
      raw = integer.order() == Endian.BIG ? Long.reverseBytes(raw) : raw << unused;
      long value = integer.signedness() == Signedness.SIGNED ? raw >> unused : raw >>> unused;
      members.add(new Enumeration.Member(name, value));
    }
    return new Enumeration(integer, members);
  }

  private ComplexType complex(int bits, int size, int depth) {
    in.expect("bits of a complex type", 1, bits);
    if (!(read(depth + 1) instanceof FloatingPoint part)) {
      throw in.fault("base of a complex type", "a floating-point type", "another class");
    }
    ComplexType complex = new ComplexType(part);
    in.expect("complex type size", complex.size(), size);
    return complex;
  }

  /**
   * Decodes an array type. The class was introduced with version 2 of the message; early versions
   * of the HDF5 library also wrote it with version 1, in the same form.
   */
  private ArrayType array(int version, int size, int depth) {
    int rank = in.u8();
    if (rank < 1 || rank > 32) {
      throw in.fault("rank of an array type", "1..32", rank);
    }
    in.skip(version < 3 ? 3 : 0);
    List<Integer> dimensions = dimensions(rank);
    in.skip(version < 3 ? 4L * rank : 0);
    ArrayType array = new ArrayType(dimensions, read(depth + 1));
    in.expect("array type size", array.size(), size);
    return array;
  }

  private List<Integer> dimensions(int rank) {
    List<Integer> dimensions = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      long dimension = in.u32();
      if (dimension < 1 || dimension > Integer.MAX_VALUE) {
        throw in.fault("dimension " + i + " of an array type", "1..2^31-1", dimension);
      }
      dimensions.add((int) dimension);
    }
    return dimensions;
  }

  private String name(int version) {
    long from = in.position();
    String name = in.textToNul();
    if (version < 3) {
      in.skip(-(in.position() - from) & 7);
    }
    return name;
  }

  private String tag(int padded) {
    byte[] raw = in.slice(padded).toArray(ValueLayout.JAVA_BYTE);
    int length = 0;
    while (length < raw.length && raw[length] != 0) {
      length++;
    }
    return StoredText.decode(Arrays.copyOf(raw, length));
  }

  private static Endian order(int bits) {
    return (bits & 1) == 0 ? Endian.LITTLE : Endian.BIG;
  }

  private StringPadding padding(int bits) {
    return choose("string padding", StringPadding.values(), bits & 15);
  }

  private CharacterSet characterSet(int bits) {
    return choose("character set", CharacterSet.values(), bits & 15);
  }

  private <T> T choose(String field, T[] values, int index) {
    if (index >= values.length) {
      throw in.fault(field, "0.." + (values.length - 1), index);
    }
    return values[index];
  }
}
