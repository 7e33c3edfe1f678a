package io.skerry.format.block;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * Positional reads of one file. Addresses are relative to the base address of the superblock, which
 * the implementation adds, so callers pass addresses as stored in the file and mapped by {@link
 * #places}. If the file cannot be read, the implementation throws an unchecked exception.
 *
 * <p>All methods are local and thread-safe.
 */
public interface ByteSource {
  /**
   * Returns the bytes at an address. They are valid until the source is closed, and callers must
   * not change them.
   *
   * @param address the address of the first byte, relative to the base address
   * @param length the number of bytes
   * @throws FormatException if any of the bytes are outside the file; the exception names the file
   *     and the address, and is thrown before memory of that length is allocated
   */
  MemorySegment read(long address, long length);

  /**
   * Fills memory with the bytes at an address. Intended for bulk data, to avoid a second copy.
   *
   * @param address the address of the first byte, relative to the base address
   * @param into the memory to fill; its size is the number of bytes to read
   * @throws FormatException if any of the bytes are outside the file
   */
  default void read(long address, MemorySegment into) {
    into.copyFrom(read(address, into.byteSize()));
  }

  /** Returns the number of bytes from the base address to the end of the file. */
  long size();

  /**
   * Returns a view of the same file whose addresses are relative to another base.
   *
   * @param base an address of this source, which becomes address 0 of the view
   */
  default ByteSource from(long base) {
    return base == 0 ? this : new ShiftedSource(this, base);
  }

  /** Returns the mapping from stored addresses to addresses of this source. */
  default AddressMapping places() {
    return AddressMapping.IDENTITY;
  }

  /** Returns the name of the file, for error messages. */
  String name();
}
