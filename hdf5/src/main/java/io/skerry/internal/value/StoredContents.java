package io.skerry.internal.value;

import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Widths;
import io.skerry.value.Contents;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Contents in the global heap of an HDF5 file, or packed beside the elements. Local. */
public interface StoredContents extends Contents {
  /**
   * The contents as HDF5 files store them.
   *
   * @throws IllegalArgumentException if they are those of a file of another connector
   */
  static StoredContents of(Contents contents) {
    if (contents instanceof StoredContents stored) {
      return stored;
    }
    throw new IllegalArgumentException("not contents of an HDF5 file: " + contents.fileName());
  }

  /** Bytes of addresses and lengths in the file. */
  Widths widths();

  /** Bytes of a member of the content that elements of a type have. */
  static int memberSize(VariableLength type) {
    return type.kind() == VariableLength.Kind.STRING ? 1 : type.base().size();
  }

  /**
   * The content of a part of variable length; empty if it has none at all, which is not the same as
   * content of no bytes.
   *
   * @param in elements, or content with parts of its own
   * @param at where the part begins
   * @throws io.skerry.exception.FormatException if it leads nowhere
   */
  default Optional<MemorySegment> variable(VariableLength type, MemorySegment in, long at) {
    try {
      HeapPointer pointer = HeapPointer.read(in, at, type, widths());
      MemorySegment content = pointer.content(memberSize(type), this);
      return pointer.isNull() ? Optional.empty() : Optional.of(content);
    } catch (FormatException e) {
      throw e.inFile(fileName());
    }
  }

  /**
   * An object of the global heap.
   *
   * @param collection address of its collection
   * @param index of the object in it, at least 1
   * @throws io.skerry.exception.FormatException if there is none
   */
  MemorySegment heapObject(long collection, int index);
}
