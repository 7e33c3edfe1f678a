package io.skerry.internal.value;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * Transfers packed elements to another file, or to another location in the same file.
 * Variable-length content is stored again, references to objects of the source file are changed to
 * the new addresses of these objects, and all other bytes are unchanged. If the two files have
 * addresses of different widths, the gaps between the members of a compound with addresses become
 * zeros. Local; a damaged element causes a {@link io.skerry.exception.FormatException}. {@link
 * ReferenceReader} documents the encoding of references.
 */
public final class ElementTransfer {
  private static final int OBJECT_REFERENCE = 2;

  private final StoredContents from;
  private final NestedContent nested;
  private final Widths widths;
  private final HeapSink heap;
  private final LongUnaryOperator objects;

  /**
   * Creates a transfer between two files.
   *
   * @param from access to the content to which elements of the source file refer
   * @param widths the widths of addresses and lengths in the target file
   * @param heap the sink that stores variable-length content and the data of references
   * @param objects a function from the address of an object to its new address, or to 0 if
   *     references to the object become null
   */
  public ElementTransfer(
      StoredContents from, Widths widths, HeapSink heap, LongUnaryOperator objects) {
    this.from = from;
    this.nested = new NestedContent(from);
    this.widths = widths;
    this.heap = heap;
    this.objects = objects;
  }

  /**
   * Returns the datatype of the elements in the target file, which differs from the datatype in the
   * source file only if addresses have a different width there.
   */
  public static Datatype type(Datatype type, Widths from, Widths to) {
    return from.offset() == to.offset() ? type : resized(type, to.offset() - from.offset());
  }

  private static Datatype resized(Datatype type, int more) {
    return switch (type) {
      case VariableLength t ->
          new VariableLength(
              t.size() + more, t.kind(), resized(t.base(), more), t.padding(), t.characterSet());
      case Reference t -> new Reference(t.size() + more, t.kind());
      case ArrayType t -> new ArrayType(t.dimensions(), resized(t.base(), more));
      case Compound t -> resized(t, more);
      default -> type;
    };
  }

  /** Adjusts the offset of each member for the changed sizes of the members before it. */
  private static Compound resized(Compound type, int more) {
    int size = type.size();
    for (Compound.Member member : type.members()) {
      size += resized(member.type(), more).size() - member.type().size();
    }
    return new Compound(
        size,
        type.members().stream()
            .map(member ->
                new Compound.Member(
                    member.name(), offset(type, member, more), resized(member.type(), more)))
            .toList());
  }

  private static int offset(Compound type, Compound.Member member, int more) {
    int offset = member.offset();
    for (Compound.Member other : type.members()) {
      if (other.offset() < member.offset()) {
        offset += resized(other.type(), more).size() - other.type().size();
      }
    }
    return offset;
  }

  /** Returns whether elements of a type contain addresses. */
  public static boolean holdsAddresses(Datatype type) {
    return switch (type) {
      case VariableLength _, Reference _ -> true;
      case ArrayType t -> holdsAddresses(t.base());
      case Compound t -> t.members().stream().anyMatch(member -> holdsAddresses(member.type()));
      default -> false;
    };
  }

  /** Returns whether elements of a type can have content in the global heap. */
  public static boolean holdsHeap(Datatype type) {
    return switch (type) {
      case VariableLength _ -> true;
      case Reference reference -> reference.kind() != Reference.Kind.OBJECT;
      case ArrayType array -> holdsHeap(array.base());
      case Compound compound ->
          compound.members().stream().anyMatch(member -> holdsHeap(member.type()));
      default -> false;
    };
  }

  /**
   * Returns whether elements of a type can have data in the global heap even if their
   * variable-length content is stored elsewhere.
   */
  public static boolean holdsReferenceHeap(Datatype type) {
    return switch (type) {
      case VariableLength variable -> holdsReferenceHeap(variable.base());
      case Reference reference -> reference.kind() != Reference.Kind.OBJECT;
      case ArrayType array -> holdsReferenceHeap(array.base());
      case Compound compound ->
          compound.members().stream().anyMatch(member -> holdsReferenceHeap(member.type()));
      default -> false;
    };
  }

  /** Returns whether elements of a type can refer to objects. */
  public static boolean refersToObjects(Datatype type) {
    return switch (type) {
      case Reference _ -> true;
      case VariableLength t -> refersToObjects(t.base());
      case ArrayType t -> refersToObjects(t.base());
      case Compound t -> t.members().stream().anyMatch(member -> refersToObjects(member.type()));
      default -> false;
    };
  }

  /**
   * Transfers elements.
   *
   * @param type the datatype of the elements in the source file
   * @param packed the elements, which are not changed
   * @param count the number of elements
   * @return the same number of elements, with the datatype that {@link #type} returns
   */
  public MemorySegment transfer(Datatype type, MemorySegment packed, long count) {
    Datatype there = type(type, from.widths(), widths);
    long bytes = Math.multiplyExact(count, there.size());
    MemorySegment out = HeapBytes.allocate(bytes);
    if (!holdsAddresses(type)) {
      return out.copyFrom(packed.asSlice(0, bytes));
    }
    for (long i = 0; i < count; i++) {
      element(
          type,
          packed.asSlice(i * type.size(), type.size()),
          out.asSlice(i * there.size(), there.size()));
    }
    return out;
  }

  private void element(Datatype type, MemorySegment in, MemorySegment out) {
    switch (type) {
      case VariableLength t -> variable(t, in, out);
      case Reference t -> reference(t, in, out);
      case ArrayType t -> {
        long count = t.size() / t.base().size();
        out.copyFrom(transfer(t.base(), in, count));
      }
      case Compound t -> compound(t, in, out);
      default -> out.copyFrom(in);
    }
  }

  private void compound(Compound type, MemorySegment in, MemorySegment out) {
    if (in.byteSize() == out.byteSize()) {
      // Gaps between members are copied unchanged.
      out.copyFrom(in);
    }
    Compound there = (Compound) type(type, from.widths(), widths);
    for (int i = 0; i < type.members().size(); i++) {
      Compound.Member old = type.members().get(i);
      Compound.Member copy = there.members().get(i);
      element(
          old.type(),
          in.asSlice(old.offset(), old.type().size()),
          out.asSlice(copy.offset(), copy.type().size()));
    }
  }

  private void variable(VariableLength type, MemorySegment in, MemorySegment out) {
    Optional<MemorySegment> found = from.variable(type, in, 0);
    boolean text = type.kind() == VariableLength.Kind.STRING;
    if (found.isEmpty() || found.get().byteSize() == 0 && !text) {
      out.fill((byte) 0);
      return;
    }
    MemorySegment content = found.get();
    long length = content.byteSize() / StoredContents.baseSize(type);
    MemorySegment carried =
        holdsAddresses(type.base()) && length > 0
            ? nested.within(content, () -> transfer(type.base(), content, length))
            : content;
    heap.put(out, length, carried, widths);
  }

  private void pointer(MemorySegment content, ByteWriter out) {
    GlobalHeapWriter.Reference at = heap.add(content);
    widths.writeAddress(out, at.collection());
    out.u32(at.index());
  }

  private void reference(Reference type, MemorySegment in, MemorySegment out) {
    out.fill((byte) 0);
    ByteReader fields = ByteReader.of(in, "reference");
    switch (type.kind()) {
      case OBJECT -> {
        long object = object(from.widths().readReference(fields));
        ByteWriter element = ByteWriter.create();
        widths.writeAddress(element, object);
        put(element, out);
      }
      case REGION -> region(fields, out);
      case OBJECT_2, REGION_2, ATTRIBUTE -> tagged(fields, out);
    }
  }

  /** Returns the new address of an object, or 0 if there is none. */
  private long object(long address) {
    return address == 0 || !FileAddress.isDefined(address) ? 0 : objects.applyAsLong(address);
  }

  private void region(ByteReader fields, MemorySegment out) {
    long collection = from.widths().readAddress(fields, "heap address of a region reference");
    HeapPointer pointer = new HeapPointer(1, collection, fields.u32());
    if (pointer.isNull()) {
      return;
    }
    ByteReader body = ByteReader.of(pointer.object(from), "region reference");
    long object = object(from.widths().readReference(body));
    if (object == 0) {
      return;
    }
    ByteWriter copy = ByteWriter.create();
    widths.writeAddress(copy, object);
    copy.bytes(body.slice(body.remaining()));
    ByteWriter element = ByteWriter.create();
    pointer(copy.written(), element);
    put(element, out);
  }

  private void tagged(ByteReader fields, MemorySegment out) {
    int kind = fields.u8();
    int flags = fields.u8();
    if (kind == 0) {
      return;
    }
    ByteWriter element = ByteWriter.create().u8(kind).u8(flags);
    if (kind == OBJECT_REFERENCE && (flags & 1) == 0) {
      ByteWriter body = body(fields, flags, addressBytes(fields));
      if (body.position() > 0) {
        put(element.bytes(body.written().asSlice(0, 1L + widths.offset())), out);
      }
      return;
    }
    long bytes = fields.u32();
    long collection = from.widths().readAddress(fields, "heap address of a reference");
    HeapPointer pointer = new HeapPointer(bytes, collection, fields.u32());
    if (pointer.isNull()) {
      return;
    }
    ByteReader stored = ByteReader.of(pointer.content(1, from), "reference");
    ByteWriter body = body(stored, flags, addressBytes(stored));
    if (body.position() > 0) {
      element.u32(body.position());
      pointer(body.written(), element);
      put(element, out);
    }
  }

  private static int addressBytes(ByteReader in) {
    int width = in.u8();
    if (width < 1 || width > 8) {
      throw in.fault("bytes of an address", "1..8", width);
    }
    return width;
  }

  /** Encodes the body with the new address; returns an empty body if the reference becomes null. */
  private ByteWriter body(ByteReader in, int flags, int width) {
    long address = in.uint(width);
    // The address of an object in another file is unchanged, since that file does not change.
    boolean elsewhere = (flags & 1) != 0;
    long object = elsewhere ? address : object(address);
    ByteWriter body = ByteWriter.create();
    if (object != 0) {
      int bytes = elsewhere ? width : widths.offset();
      body.u8(bytes).uint(object, bytes).bytes(in.slice(in.remaining()));
    }
    return body;
  }

  private static void put(ByteWriter element, MemorySegment out) {
    MemorySegment.copy(element.written(), 0, out, 0, element.position());
  }
}
