package io.skerry.internal.value;

import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Widths;
import io.skerry.value.Contents;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The contents to which elements of an HDF5 file refer, in the global heap or packed with the
 * elements. All methods are local.
 */
public interface StoredContents extends Contents {
  /**
   * Returns the given contents as contents of an HDF5 file.
   *
   * @throws IllegalArgumentException if the contents belong to a file of a different connector
   */
  static StoredContents of(Contents contents) {
    if (contents instanceof StoredContents stored) {
      return stored;
    }
    throw new IllegalArgumentException("not contents of an HDF5 file: " + contents.fileName());
  }

  /** Returns the widths of addresses and lengths in the file, in bytes. */
  Widths widths();

  /** Returns the size in bytes of an element of the base type; 1 for text. */
  static int baseSize(VariableLength type) {
    return type.kind() == VariableLength.Kind.STRING ? 1 : type.base().size();
  }

  /**
   * Returns the content of a part of variable length; empty for a null part, which is not the same
   * as content without bytes.
   *
   * @param in the elements, or content that has parts itself
   * @param at the offset of the part in bytes
   * @throws io.skerry.exception.FormatException if the pointer is invalid
   */
  default Optional<MemorySegment> variable(VariableLength type, MemorySegment in, long at) {
    try {
      HeapPointer pointer = HeapPointer.read(in, at, type, widths());
      MemorySegment content = pointer.content(baseSize(type), this);
      return pointer.isNull() ? Optional.empty() : Optional.of(content);
    } catch (FormatException e) {
      throw e.inFile(fileName());
    }
  }

  /**
   * Returns an object of the global heap.
   *
   * @param collection the address of its collection
   * @param index the index of the object in it, at least 1
   * @throws io.skerry.exception.FormatException if there is no such object
   */
  MemorySegment heapObject(long collection, int index);
}
