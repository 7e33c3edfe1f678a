package io.skerry.internal.value;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The pointer in an element to content in the global heap: {@code length u32 | collection address O
 * | object index u32}.
 *
 * @param length the number of elements of a sequence, or of bytes of a string
 * @param collection the address of the heap collection; 0 or undefined if there is no content
 * @param index the index of the object in the collection
 */
public record HeapPointer(long length, long collection, long index) {
  private static final ValueLayout.OfInt LENGTH =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /**
   * Reads the pointer of an element.
   *
   * @throws FormatException if elements of the type do not have the size of a pointer in the file
   */
  public static HeapPointer read(MemorySegment in, long at, VariableLength type, Widths widths) {
    if (type.size() != size(widths)) {
      throw new FormatException("size of a variable-length type", size(widths), type.size());
    }
    ByteReader fields = ByteReader.of(in.asSlice(at, type.size()), "variable-length element");
    long length = fields.u32();
    return new HeapPointer(length, widths.readAddress(fields, "heap address"), fields.u32());
  }

  /** Returns the length field of the pointer of an element. */
  static long length(MemorySegment in, long at) {
    return Integer.toUnsignedLong(in.get(LENGTH, at));
  }

  /** Returns the number of bytes of a pointer. */
  static int size(Widths widths) {
    return 8 + widths.offset();
  }

  public boolean isNull() {
    return !FileAddress.isDefined(collection) || collection == 0;
  }

  /**
   * Returns the content: {@code length} elements of the base type.
   *
   * @param baseSize the size of such an element in bytes
   * @throws FormatException if the heap object is damaged, missing or shorter than the content
   */
  public MemorySegment content(int baseSize, StoredContents contents) {
    if (length == 0 || isNull()) {
      return MemorySegment.ofArray(new byte[0]);
    }
    MemorySegment object = object(contents);
    long bytes = length * baseSize;
    if (bytes > object.byteSize()) {
      throw new FormatException(
          "variable-length content longer than its heap object: length=" + length,
          "at most " + object.byteSize() + " bytes",
          bytes);
    }
    return object.asSlice(0, bytes);
  }

  /** Returns the complete heap object. */
  public MemorySegment object(StoredContents contents) {
    if (index < 1 || index > contents.largestIndex()) {
      throw new FormatException("index of a heap object", "1.." + contents.largestIndex(), index);
    }
    return contents.heapObject(collection, (int) index);
  }
}
