package io.skerry.internal.value;

import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.chunk.datatype.conversion.BinaryReal;
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
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decodes elements into values. Local; a damaged element causes a {@link
 * io.skerry.exception.FormatException}.
 */
public final class ValueReader {
  /** The minimum number of bytes that an element of a sequence occupies on the Java heap. */
  private static final long VALUE_BYTES = 16;

  private final StoredContents contents;
  private final ReferenceReader references;
  private final NestedContent nested;

  /**
   * Creates a reader.
   *
   * @param contents access to the objects and variable-length data to which the elements refer, in
   *     the file that stores the elements
   */
  public ValueReader(Contents contents) {
    this.contents = StoredContents.of(contents);
    this.references = new ReferenceReader(this.contents);
    this.nested = new NestedContent(this.contents);
  }

  /**
   * Decodes the first {@code count} elements of a packed run.
   *
   * @throws io.skerry.exception.MemoryLimitException if their variable-length content would need
   *     more memory than one request may use, which is possible if elements share content
   */
  public List<Value> readAll(Datatype type, MemorySegment packed, long count) {
    if (OwnedContent.isPartOf(type)) {
      long bytes = 0;
      for (long i = 0; i < count; i++) {
        long more = contentBytes(type, packed, i * type.size());
        bytes += Math.min(more, Long.MAX_VALUE - bytes);
      }
      MemoryLimit.require(
          bytes, 1, () -> "the variable-length content of elements in " + contents.fileName());
    }
    return elements(type, packed, count);
  }

  private List<Value> elements(Datatype type, MemorySegment packed, long count) {
    try {
      List<Value> values = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        values.add(read(type, packed, i * type.size()));
      }
      return values;
    } catch (FormatException e) {
      throw e.inFile(contents.fileName());
    }
  }

  /**
   * Returns the minimum number of bytes that the decoded content of an element occupies in memory,
   * excluding nested content.
   */
  private long contentBytes(Datatype type, MemorySegment in, long at) {
    return switch (type) {
      case VariableLength t when t.size() >= Integer.BYTES -> {
        long length = contents.contentLength(t, in, at);
        // Longer content is rejected when the element is decoded.
        long most = contents.contentSize() / StoredContents.baseSize(t);
        yield Math.min(length, most) * (t.kind() == VariableLength.Kind.STRING ? 1 : VALUE_BYTES);
      }
      case Compound t -> {
        long sum = 0;
        for (Compound.Member member : t.members()) {
          sum += contentBytes(member.type(), in, at + member.offset());
        }
        yield sum;
      }
      case ArrayType t when OwnedContent.isPartOf(t) -> {
        long sum = 0;
        for (long i = 0; i < t.size(); i += t.base().size()) {
          sum += contentBytes(t.base(), in, at + i);
        }
        yield sum;
      }
      default -> 0L;
    };
  }

  /** Decodes the element at a byte offset. */
  public Value read(Datatype type, MemorySegment in, long at) {
    return switch (type) {
      case FixedPoint t -> new Value.Whole(t.read(in, at));
      case FloatingPoint t -> real(t, in, at);
      case ComplexType t ->
          new Value.Complex(real(t.part(), in, at), real(t.part(), in, at + t.part().size()));
      case Time t -> new Value.Time(t.read(in, at));
      case StringType t -> new Value.Text(StringElements.fixed(t, in, at));
      case BitField t -> new Value.Bits(t.read(in, at), t.size());
      case Opaque t -> new Value.Opaque(Bytes.of(in.asSlice(at, t.size())), t.tag());
      case Compound t -> compound(t, in, at);
      case Reference t -> references.read(t, in, at);
      case Enumeration t -> enumerated(t, in, at);
      case VariableLength t -> variable(t, in, at);
      case ArrayType t -> {
        int count = t.size() / t.base().size();
        MemorySegment elements = in.asSlice(at, t.size());
        yield new Value.Array(t.dimensions(), elements(t.base(), elements, count));
      }
    };
  }

  private static Value.Real real(FloatingPoint type, MemorySegment in, long at) {
    boolean implied = type.normalization() == FloatingPoint.Normalization.MSB_IMPLIED;
    return new Value.Real(
        BinaryReal.read(type, in, at).toDouble(), type.mantissaSize() + (implied ? 1 : 0));
  }

  private Value compound(Compound type, MemorySegment in, long at) {
    List<Value.Field> fields = new ArrayList<>();
    for (Compound.Member member : type.members()) {
      fields.add(new Value.Field(member.name(), read(member.type(), in, at + member.offset())));
    }
    return new Value.Compound(fields);
  }

  private static Value enumerated(Enumeration type, MemorySegment in, long at) {
    // An enumeration name denotes a whole stored element, so the padding bits are compared as well.
    FixedPoint base = type.base();
    FixedPoint whole = FixedPoint.of(base.size(), base.signedness(), base.order());
    long stored = whole.read(in, at).longValue();
    Optional<String> name = type.nameOf(stored);
    return new Value.Enumerated(name.isPresent() ? stored : base.read(in, at).longValue(), name);
  }

  private Value variable(VariableLength type, MemorySegment in, long at) {
    if (type.kind() == VariableLength.Kind.STRING) {
      return new Value.Text(StringElements.variable(type, in, at, contents));
    }
    Optional<MemorySegment> found = contents.variable(type, in, at);
    if (found.isEmpty()) {
      return new Value.Sequence(List.of());
    }
    MemorySegment content = found.get();
    long count = content.byteSize() / type.base().size();
    return nested.within(content, () -> new Value.Sequence(elements(type.base(), content, count)));
  }
}
