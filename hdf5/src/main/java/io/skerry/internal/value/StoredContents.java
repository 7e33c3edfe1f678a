package io.skerry.internal.value;

import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Widths;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Access to the objects of an HDF5 file to which elements refer, to the variable-length content of
 * the elements, and to the data of their references. Variable-length content is in the global heap
 * or packed with the elements. All methods are local.
 */
public interface StoredContents extends Contents {
  /**
   * Returns {@code contents} as {@code StoredContents}.
   *
   * @throws IllegalArgumentException if the file belongs to a different connector
   */
  static StoredContents of(Contents contents) {
    if (contents instanceof StoredContents stored) {
      return stored;
    }
    throw new IllegalArgumentException("not contents of an HDF5 file: " + contents.fileName());
  }

  /** Returns the widths of addresses and lengths in the file, in bytes. */
  Widths widths();

  /**
   * Returns the uncompressed size, in bytes, of the storage that contains the variable-length
   * content.
   */
  default long contentSize() {
    return fileSize();
  }

  /**
   * Returns the length of a variable-length value, in elements of its base type, as its descriptor
   * states it. The descriptor may be damaged.
   *
   * @param in the elements
   * @param at the offset of the value in bytes
   */
  default long contentLength(VariableLength type, MemorySegment in, long at) {
    return HeapPointer.length(in, at);
  }

  /** Returns the largest index of an object in a heap collection. */
  default long largestIndex() {
    return 0xffff;
  }

  /** Returns the size in bytes of an element of the base type; 1 for text. */
  static int baseSize(VariableLength type) {
    return type.kind() == VariableLength.Kind.STRING ? 1 : type.base().size();
  }

  /**
   * Returns the object to which a reference without a file name refers.
   *
   * @param address the address that the reference contains
   */
  default Value.Target target(long address) {
    return new Value.Target(Optional.empty(), pathOf(address), address);
  }

  /**
   * Returns the content of a variable-length value; empty for a null value, which differs from
   * content of zero bytes.
   *
   * @param in the elements, or content that contains variable-length values
   * @param at the offset of the value in bytes
   * @throws io.skerry.exception.FormatException if the pointer or the heap collection is damaged
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
   * @param index the index of the object in the collection, at least 1
   * @throws io.skerry.exception.FormatException if there is no such object or the collection is
   *     damaged
   */
  MemorySegment heapObject(long collection, int index);
}
