package io.skerry.iod.connector.map;

import io.skerry.DatasetWrite;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.value.PackedContents;
import io.skerry.internal.value.StoredContents;
import io.skerry.internal.value.ValueReader;
import io.skerry.iod.connector.value.EncodedContent;
import io.skerry.iod.object.model.CellPart;
import io.skerry.iod.object.model.MapTypes;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Encodes and decodes the keys or the values of a map; {@link MapTypes} describes their stored
 * form. Immutable, thread-safe.
 */
final class PairForm {
  /** The part of a pair that has this form. */
  enum Role {
    /** Stored keys are compared: bytes without meaning are zero, and strings have no NUL. */
    KEY,
    /** Stored values are not compared. */
    VALUE
  }

  private final Datatype type;
  private final Role role;
  private final long longest;
  private final String where;
  private final boolean isFixed;

  /** The bytes of an element that belong to no member of a compound. */
  private final BitSet gaps;

  /**
   * Creates the form of a type.
   *
   * @param longest the length of the longest key or value, in bytes
   * @param where the map, for messages
   */
  PairForm(Datatype type, Role role, long longest, String where) {
    this.type = type;
    this.role = role;
    this.longest = longest;
    this.where = where;
    this.isFixed = CellPart.of(type).isEmpty();
    this.gaps = new BitSet();
    if (role == Role.KEY && isFixed) {
      gaps.set(0, type.size());
      clearMembers(type, 0);
    }
  }

  private void clearMembers(Datatype part, int at) {
    switch (part) {
      case Compound compound ->
          compound.members().forEach(member -> clearMembers(member.type(), at + member.offset()));
      case ArrayType array -> {
        for (int i = 0; i < array.size(); i += array.base().size()) {
          clearMembers(array.base(), at + i);
        }
      }
      default -> gaps.clear(at, at + part.size());
    }
  }

  /**
   * Encodes keys or values.
   *
   * @throws IllegalArgumentException if one of them does not fit the type or is too long, or the
   *     memory ends within an element
   * @throws UnsupportedFeatureException if there is no conversion, or elements in memory have
   *     variable-length parts
   */
  EncodedParts encode(DatasetWrite.Content content) {
    EncodedParts parts =
        switch (content) {
          case DatasetWrite.Elements(var memory, var elements) ->
              EncodedParts.packed(stored(memory, elements), type.size());
          case DatasetWrite.Values(var values) -> encode(values);
        };
    if (!isFixed) {
      for (long i = 0; i < parts.count(); i++) {
        requireLength(parts.get(i).byteSize());
      }
    }
    return parts;
  }

  private void requireLength(long length) {
    if (length > longest) {
      throw new IllegalArgumentException(
          "a " + name() + " is too long: expected=at most " + longest + " actual=" + length);
    }
  }

  private String name() {
    return switch (role) {
      case KEY -> "key";
      case VALUE -> "value";
    };
  }

  /** Encodes one key or value. */
  MemorySegment encode(Value value) {
    return encode(new DatasetWrite.Values(List.of(value))).get(0);
  }

  private MemorySegment stored(Datatype memory, MemorySegment elements) {
    if (!isFixed || !CellPart.of(memory).isEmpty()) {
      throw new UnsupportedFeatureException(
          name() + " in memory with variable-length parts: type=" + type + " memory=" + memory,
          where);
    }
    if (elements.byteSize() % memory.size() != 0) {
      throw new IllegalArgumentException(
          "bytes of "
              + name()
              + "s in memory: expected=a multiple of "
              + memory.size()
              + " actual="
              + elements.byteSize());
    }
    Conversion conversion = Conversion.between(memory, type, where);
    if (conversion.isIdentity() && gaps.isEmpty()) {
      requireAccess(elements);
      return elements;
    }
    long count = elements.byteSize() / memory.size();
    MemorySegment stored = HeapBytes.allocate(Math.multiplyExact(count, type.size()));
    conversion.convert(elements, stored, count);
    for (long at = 0; at < stored.byteSize() && !gaps.isEmpty(); at += type.size()) {
      long element = at;
      gaps.stream().forEach(gap -> stored.set(ValueLayout.JAVA_BYTE, element + gap, (byte) 0));
    }
    return stored;
  }

  /**
   * Checks that this thread has access to memory, before the first change. A change that has begun
   * and fails cannot be undone.
   *
   * @throws IllegalStateException if the memory was released
   * @throws WrongThreadException if only another thread has access to it
   */
  private static void requireAccess(MemorySegment elements) {
    if (elements.byteSize() > 0) {
      byte unused = elements.get(ValueLayout.JAVA_BYTE, 0);
    }
  }

  private EncodedParts encode(List<Value> values) {
    if (isFixed) {
      return EncodedParts.packed(EncodedContent.fixed(type, values), type.size());
    }
    List<MemorySegment> parts = new ArrayList<>(values.size());
    if (type instanceof VariableLength variable) {
      PackedContent packed = EncodedContent.packed(type, values);
      int base = StoredContents.baseSize(variable);
      for (int i = 0; i < values.size(); i++) {
        MemorySegment content = packed.content(packed.elements(), (long) i * type.size(), base);
        parts.add(isText(variable) ? text(content, values.get(i)) : content);
      }
    } else {
      values.forEach(value -> parts.add(EncodedContent.packed(type, List.of(value)).joined()));
    }
    return EncodedParts.of(parts);
  }

  private static boolean isText(VariableLength variable) {
    return variable.kind() == VariableLength.Kind.STRING;
  }

  private MemorySegment text(MemorySegment content, Value value) {
    if (role == Role.VALUE) {
      return content;
    }
    if (content.byteSize() == 0) {
      return MemorySegment.ofArray(new byte[1]);
    }
    for (long i = 0; i < content.byteSize(); i++) {
      if (content.get(ValueLayout.JAVA_BYTE, i) == 0) {
        throw new IllegalArgumentException("a key contains a NUL: key=" + value);
      }
    }
    return content;
  }

  /**
   * Decodes a key or value, whose size has been checked.
   *
   * @param contents access to the objects to which references refer
   * @throws io.skerry.exception.FormatException if it is damaged
   */
  Value decode(MemorySegment stored, StoredContents contents) {
    // Elements of fixed size have no content, so the size of the file is not requested.
    PackedContent packed =
        isFixed
            ? new PackedContent(stored, MemorySegment.ofArray(new byte[0]))
            : PackedContent.split(
                type instanceof VariableLength variable ? described(variable, stored) : stored,
                type.size());
    return new ValueReader(new PackedContents(contents, packed)).read(type, packed.elements(), 0);
  }

  /** Returns content preceded by its descriptor. */
  private MemorySegment described(VariableLength variable, MemorySegment content) {
    MemorySegment element = HeapBytes.allocate(type.size());
    PackedContent.Builder builder = new PackedContent.Builder();
    builder.put(element, content.byteSize() / StoredContents.baseSize(variable), content);
    return builder.join(element);
  }

  /**
   * Converts a stored value, whose size has been checked, to a type in memory.
   *
   * @throws UnsupportedFeatureException if there is no conversion, or a type has variable-length
   *     parts
   */
  MemorySegment decode(MemorySegment stored, Conversion conversion) {
    MemorySegment memory = HeapBytes.allocate(conversion.to().size());
    conversion.convert(stored, memory, 1);
    return memory;
  }

  /**
   * Returns the conversion to a type in memory.
   *
   * @throws UnsupportedFeatureException if there is none, or a type has variable-length parts
   */
  Conversion conversionTo(Datatype memory) {
    if (!isFixed || !CellPart.of(memory).isEmpty()) {
      throw new UnsupportedFeatureException(
          name() + " in memory with variable-length parts: type=" + type + " memory=" + memory,
          where);
    }
    return Conversion.between(type, memory, where);
  }
}
