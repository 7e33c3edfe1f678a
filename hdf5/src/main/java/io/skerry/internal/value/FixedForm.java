package io.skerry.internal.value;

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
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The canonical form of a type whose elements all have the same canonical size. */
interface FixedForm {
  /**
   * Elements at regular intervals.
   *
   * @param at the offset of the first element in bytes
   * @param stride the distance between the starts of two consecutive elements, in bytes
   */
  record Run(MemorySegment bytes, long at, long stride) {
    Run plus(long offset) {
      return new Run(bytes, at + offset, stride);
    }

    Run element(long index, long size) {
      return new Run(bytes, at + index * stride, size);
    }
  }

  /** Returns the number of canonical bytes of an element. */
  int size();

  /** Returns whether the canonical bytes equal the bytes in the file. */
  boolean isIdentity();

  /**
   * Writes the canonical bytes of elements.
   *
   * @param count the number of elements
   */
  void fill(Run in, Run out, int count);

  /**
   * Returns whether all elements of a type have the same canonical size. For an array or a
   * compound, an upper bound on this size must also be less than 1 GiB.
   */
  static boolean can(Datatype type) {
    return switch (type) {
      case VariableLength _, Reference _ -> false;
      case ArrayType array -> can(array.base()) && canonicalBytes(array) <= Integer.MAX_VALUE / 2;
      case Compound compound ->
          compound.members().stream()
                  .allMatch(m -> can(m.type()) && !(m.type() instanceof StringType))
              && canonicalBytes(compound) <= Integer.MAX_VALUE / 2;
      default -> true;
    };
  }

  /**
   * Returns an upper bound on the canonical size in bytes, which may be larger than the size in the
   * file, since numbers may be wider.
   */
  private static long canonicalBytes(Datatype type) {
    return switch (type) {
      case ArrayType a -> canonicalBytes(a.base()) * (a.size() / a.base().size());
      case Compound c -> c.members().stream().mapToLong(m -> canonicalBytes(m.type())).sum();
      default -> Math.max(16L, type.size());
    };
  }

  /** Returns the form of a type for which {@link #can} is true. */
  static FixedForm of(Datatype type) {
    return switch (type) {
      case FixedPoint t -> NumberForm.of(t);
      case FloatingPoint t -> NumberForm.of(t);
      case Enumeration t -> NumberForm.of(t.base());
      case Time t -> new RawForm(t.size(), t.order());
      case BitField t -> new RawForm(t.size(), t.order());
      case Opaque t -> RawForm.of(t);
      case StringType t -> new TextForm(t);
      case ComplexType t -> new ArrayForm(of(t.part()), t.part().size(), 2);
      case ArrayType t -> new ArrayForm(of(t.base()), t.base().size(), t.size() / t.base().size());
      case Compound t -> compound(t);
      case VariableLength _, Reference _ ->
          throw new IllegalArgumentException("no fixed form: type=" + type);
    };
  }

  private static FixedForm compound(Compound type) {
    List<CompoundForm.Part> parts = new ArrayList<>();
    int size = 0;
    for (Compound.Member member : type.members()) {
      FixedForm form = of(member.type());
      parts.add(new CompoundForm.Part(form, member.offset(), size));
      size += form.size();
    }
    return new CompoundForm(parts, size, type.size());
  }

  /** Bytes in little-endian order: reversed if the type is big-endian, otherwise as stored. */
  record RawForm(int size, Endian order) implements FixedForm {
    private static final String NUMPY = "NUMPY:>";

    /**
     * Returns the form of an opaque type. NumPy dates and times are stored as opaque elements, with
     * their byte order in the tag.
     */
    static RawForm of(Opaque type) {
      return new RawForm(type.size(), type.tag().startsWith(NUMPY) ? Endian.BIG : Endian.LITTLE);
    }

    @Override
    public boolean isIdentity() {
      return order == Endian.LITTLE || size == 1;
    }

    @Override
    public void fill(Run in, Run out, int count) {
      for (int i = 0; i < count; i++) {
        long from = in.at + i * in.stride;
        long to = out.at + i * out.stride;
        if (isIdentity()) {
          MemorySegment.copy(in.bytes, from, out.bytes, to, size);
        } else {
          for (int b = 0; b < size; b++) {
            MemorySegment.copy(in.bytes, from + size - 1 - b, out.bytes, to + b, 1);
          }
        }
      }
    }
  }

  /** Fixed-length strings, NUL-padded. */
  record TextForm(StringType type) implements FixedForm {
    @Override
    public int size() {
      return type.size();
    }

    @Override
    public boolean isIdentity() {
      return type.padding() == StringPadding.NULL_PADDED;
    }

    @Override
    public void fill(Run in, Run out, int count) {
      for (int i = 0; i < count; i++) {
        MemorySegment field = in.bytes.asSlice(in.at + i * in.stride, type.size());
        MemorySegment to = out.bytes.asSlice(out.at + i * out.stride, type.size());
        long length = isIdentity() ? type.size() : StringElements.length(field, type.padding());
        MemorySegment.copy(field, 0, to, 0, length);
        to.asSlice(length).fill((byte) 0);
      }
    }
  }

  /** Consecutive elements of an array. */
  record ArrayForm(FixedForm base, int baseSize, int length) implements FixedForm {
    @Override
    public int size() {
      return base.size() * length;
    }

    @Override
    public boolean isIdentity() {
      return base.isIdentity();
    }

    @Override
    public void fill(Run in, Run out, int count) {
      if (length > count) {
        for (int i = 0; i < count; i++) {
          base.fill(in.element(i, baseSize), out.element(i, base.size()), length);
        }
      } else {
        for (int i = 0; i < length; i++) {
          base.fill(in.plus((long) i * baseSize), out.plus((long) i * base.size()), count);
        }
      }
    }
  }

  /** Members of a compound, without gaps. */
  record CompoundForm(List<Part> parts, int size, int stored) implements FixedForm {
    record Part(FixedForm form, int from, int to) {}

    @Override
    public boolean isIdentity() {
      return size == stored && parts.stream().allMatch(p -> p.from == p.to && p.form.isIdentity());
    }

    @Override
    public void fill(Run in, Run out, int count) {
      for (Part part : parts) {
        part.form.fill(in.plus(part.from), out.plus(part.to), count);
      }
    }
  }
}
