package io.skerry.format.block;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * Positional reads of one file. Addresses are relative to the base address of the superblock, which
 * the implementor adds: a structure is found at the address that the file says.
 *
 * <p>Local: no call is collective, and any thread may call.
 */
public interface ByteSource {
  /**
   * The bytes at an address, valid until the source is closed; callers never write to them.
   *
   * @param address first byte, relative to the base address
   * @param length bytes
   * @throws FormatException if any of it lies outside the file, naming file and address; thrown
   *     before memory of that length is taken
   */
  MemorySegment read(long address, long length);

  /**
   * Fills memory with the bytes at an address: for bulk data, which need not be copied twice.
   *
   * @param address first byte, relative to the base address
   * @throws FormatException if any of it lies outside the file
   */
  default void read(long address, MemorySegment into) {
    into.copyFrom(read(address, into.byteSize()));
  }

  /** Bytes from the base address to the end of the file. */
  long size();

  /** The same file with addresses that count from another base, given in addresses of this one. */
  default ByteSource from(long base) {
    return base == 0 ? this : new ShiftedSource(this, base);
  }

  /** What the addresses stored in this file mean here. */
  default AddressMapping places() {
    return AddressMapping.IDENTITY;
  }

  /** The file, for error messages. */
  String name();
}
