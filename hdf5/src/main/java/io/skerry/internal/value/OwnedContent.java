package io.skerry.internal.value;

import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.format.heap.GlobalHeapWriter.Reference;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Collects the heap objects that elements own: variable-length strings and sequences, and those
 * nested in them. Each heap object belongs to one element and is released with it; only the objects
 * of the fill value are shared (see {@link #except}). The selections of region references are not
 * owned: HDF5 up to 1.10 copies such a reference without its heap object. Not thread-safe; local.
 */
public final class OwnedContent {
  private final StoredContents contents;
  private final Set<Reference> objects = new TreeSet<>();
  private long bytes;

  /**
   * Creates an empty collection.
   *
   * @param contents access to the global heap of the file that contains the elements
   */
  public OwnedContent(StoredContents contents) {
    this.contents = contents;
  }

  /** Returns whether elements of a type can own heap objects. */
  public static boolean isPartOf(Datatype type) {
    return !VariableLengthParts.of(type).isNone();
  }

  /**
   * Adds the objects that a packed run of elements owns. Pointers with an invalid object index and
   * damaged nested content are skipped.
   */
  public void add(Datatype type, MemorySegment packed, long count) {
    if (isPartOf(type)) {
      for (long i = 0; i < count; i++) {
        element(type, packed, i * type.size());
      }
    }
  }

  /**
   * Removes the objects of the fill value, which all elements with the fill value share.
   *
   * @param element the fill value, as one element
   */
  public void except(Datatype type, MemorySegment element) {
    OwnedContent shared = new OwnedContent(contents);
    shared.add(type, element, 1);
    objects.removeAll(shared.objects);
  }

  /** Returns the objects without duplicates. */
  public Collection<Reference> objects() {
    return Collections.unmodifiableCollection(objects);
  }

  /**
   * Returns the number of bytes of all content that was added, including objects that were later
   * removed.
   */
  public long bytes() {
    return bytes;
  }

  private void element(Datatype type, MemorySegment in, long at) {
    switch (type) {
      case VariableLength variable -> variable(variable, in, at);
      case ArrayType array -> add(array.base(), in.asSlice(at, array.size()), members(array));
      case Compound compound -> {
        for (Compound.Member member : compound.members()) {
          if (isPartOf(member.type())) {
            element(member.type(), in, at + member.offset());
          }
        }
      }
      default -> {}
    }
  }

  private static long members(ArrayType array) {
    return array.size() / array.base().size();
  }

  private void variable(VariableLength type, MemorySegment in, long at) {
    HeapPointer pointer = HeapPointer.read(in, at, type, contents.widths());
    // An empty string has a heap object too, which distinguishes it from a null string.
    if (pointer.isNull() || pointer.index() < 1 || pointer.index() > 0xffff) {
      return;
    }
    // An object is followed only once, since a damaged file may have cycles.
    if (!objects.add(new Reference(pointer.collection(), (int) pointer.index()))) {
      return;
    }
    boolean text = type.kind() == VariableLength.Kind.STRING;
    bytes += pointer.length() * (text ? 1 : type.base().size());
    if (!text && isPartOf(type.base())) {
      nested(type.base(), pointer);
    }
  }

  private void nested(Datatype base, HeapPointer pointer) {
    MemorySegment content;
    try {
      content = pointer.content(base.size(), contents);
    } catch (FormatException damaged) {
      return;
    }
    add(base, content, pointer.length());
  }
}
