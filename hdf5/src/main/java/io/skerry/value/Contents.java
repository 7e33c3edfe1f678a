package io.skerry.value;

import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** What elements of one file refer to: heap objects, and objects by address. Local. */
public interface Contents {
  /** Name of the file, for errors. */
  String fileName();

  /** Bytes of addresses and lengths in the file. */
  Widths widths();

  /** Bytes in the file. */
  long fileSize();

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

  /**
   * The path of the object with its header at an address: the first that a depth-first walk along
   * hard links, in the order links are stored, comes to; empty if none leads to it.
   */
  Optional<String> pathOf(long address);

  /** Whether the header of an object can be read at an address. */
  boolean isObject(long address);
}
