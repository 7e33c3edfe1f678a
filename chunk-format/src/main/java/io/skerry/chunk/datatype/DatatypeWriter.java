package io.skerry.chunk.datatype;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.BitPadding;
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
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import java.util.List;

/** The encoder of {@link DatatypeCodec}. */
final class DatatypeWriter {
  private final ByteWriter out;

  DatatypeWriter(ByteWriter out) {
    this.out = out;
  }

  /**
   * Returns the width, in bytes, of a member offset in version 3 or later: the smallest width that
   * can hold the size of the compound.
   */
  static int offsetWidth(int size) {
    return (31 - Integer.numberOfLeadingZeros(size)) / 8 + 1;
  }

  /**
   * Returns the lowest version that a type requires. A compound requires at least the versions of
   * its members, and an array or a sequence at least the version of its base.
   */
  private static int natural(Datatype type) {
    return switch (type) {
      case FloatingPoint f -> f.order() == Endian.VAX ? 3 : 1;
      case Reference r -> r.kind().isNewStyle() ? 4 : 1;
      case ComplexType _ -> 5;
      case ArrayType a -> Math.max(2, natural(a.base()));
      case VariableLength v -> natural(v.base());
      case Compound c -> c.members().stream().mapToInt(m -> natural(m.type())).max().orElse(1);
      case FixedPoint _, Time _, StringType _, BitField _, Opaque _, Enumeration _ -> 1;
    };
  }

  /** Returns the version to write for a type inside another type of version {@code floor}. */
  private static int version(Datatype type, int floor) {
    return switch (type) {
      case Compound _, ArrayType _, Enumeration _ -> Math.max(floor, natural(type));
      case VariableLength v -> version(v.base(), floor);
      case FixedPoint _,
          FloatingPoint _,
          Time _,
          StringType _,
          BitField _,
          Opaque _,
          Reference _,
          ComplexType _ ->
          natural(type);
    };
  }

  void write(Datatype type, int floor, int depth) {
    if (depth > DatatypeCodec.MAX_DEPTH) {
      throw new IllegalArgumentException(
          "types nested too deeply: limit=" + DatatypeCodec.MAX_DEPTH);
    }
    int version = version(type, floor);
    switch (type) {
      case FixedPoint t -> {
        int sign = t.signedness() == Signedness.SIGNED ? 8 : 0;
        head(version, 0, order(t.order()) | bits(t.padding()) << 1 | sign, t.size());
        out.u16(t.offset()).u16(t.precision());
      }
      case FloatingPoint t -> floatingPoint(version, t);
      case Time t -> {
        head(version, 2, order(t.order()), t.size());
        out.u16(t.precision());
      }
      case StringType t ->
          head(version, 3, t.padding().ordinal() | t.characterSet().ordinal() << 4, t.size());
      case BitField t -> {
        head(version, 4, order(t.order()) | bits(t.padding()) << 1, t.size());
        out.u16(t.offset()).u16(t.precision());
      }
      case Opaque t -> {
        byte[] tag = StoredText.encode(t.tag());
        int padded = (tag.length + 7) & ~7;
        head(version, 5, padded, t.size());
        out.bytes(tag).zeros(padded - tag.length);
      }
      case Compound t -> compound(version, t, floor, depth);
      case Reference t -> {
        int encoding = t.kind().isNewStyle() ? 0x10 : 0;
        head(version, 7, t.kind().ordinal() | encoding, t.size());
      }
      case Enumeration t -> enumeration(version, t, depth);
      case VariableLength t -> {
        int text = t.padding().ordinal() << 4 | t.characterSet().ordinal() << 8;
        head(version, 9, t.kind().ordinal() | text, t.size());
        write(t.base(), floor, depth + 1);
      }
      case ArrayType t -> array(version, t, floor, depth);
      case ComplexType t -> {
        head(version, 11, 1, t.size());
        write(t.part(), 1, depth + 1);
      }
    }
  }

  private void head(int version, int typeClass, int bits, int size) {
    out.u8(version << 4 | typeClass).uint(bits, 3).u32(size);
  }

  private static int bits(BitPadding padding) {
    return padding.low().ordinal() | padding.high().ordinal() << 1 | padding.inner().ordinal() << 2;
  }

  private void floatingPoint(int version, FloatingPoint t) {
    int bits =
        order(t.order())
            | bits(t.padding()) << 1
            | t.normalization().ordinal() << 4
            | t.signPosition() << 8;
    head(version, 1, bits, t.size());
    out.u16(t.offset()).u16(t.precision());
    out.u8(t.exponentPosition()).u8(t.exponentSize());
    out.u8(t.mantissaPosition()).u8(t.mantissaSize()).u32(t.bias());
  }

  private void compound(int version, Compound t, int floor, int depth) {
    head(version, 6, t.members().size(), t.size());
    int raised = lastRaised(t);
    for (int i = 0; i < t.members().size(); i++) {
      Compound.Member member = t.members().get(i);
      name(version, member.name());
      out.uint(member.offset(), version < 3 ? 4 : offsetWidth(t.size()));
      if (version == 1) {
        out.zeros(1 + 3 + 4 + 4 + 4 * 4);
      }
      write(member.type(), i <= raised ? version : floor, depth + 1);
    }
  }

  /**
   * Returns the index of the member that determines the version of a compound. When this member is
   * inserted, the HDF5 library raises the version of the compound and of the members before it, but
   * not that of members inserted later.
   */
  private static int lastRaised(Compound t) {
    int version = natural(t);
    int i = 0;
    while (natural(t.members().get(i).type()) < version) {
      i++;
    }
    return i;
  }

  private void enumeration(int version, Enumeration t, int depth) {
    head(version, 8, t.members().size(), t.size());
    write(t.base(), 1, depth + 1);
    t.members().forEach(m -> name(version, m.name()));
    int unused = 64 - 8 * t.size();
    for (Enumeration.Member member : t.members()) {
      boolean big = t.base().order() == Endian.BIG;
      out.uint(big ? Long.reverseBytes(member.value() << unused) : member.value(), t.size());
    }
  }

  private void array(int version, ArrayType t, int floor, int depth) {
    head(version, 10, 0, t.size());
    List<Integer> dimensions = t.dimensions();
    out.u8(dimensions.size()).zeros(version == 2 ? 3 : 0);
    dimensions.forEach(out::u32);
    if (version == 2) {
      // The permutation of the dimensions, which the HDF5 library ignores; the identity is
      // written.
      for (int i = 0; i < dimensions.size(); i++) {
        out.u32(i);
      }
    }
    write(t.base(), floor, depth + 1);
  }

  private void name(int version, String name) {
    int from = out.position();
    out.text(name).u8(0);
    if (version < 3) {
      out.zeros(-(out.position() - from) & 7);
    }
  }

  private static int order(Endian order) {
    return switch (order) {
      case LITTLE -> 0;
      case BIG -> 1;
      case VAX -> 0x41;
    };
  }
}
