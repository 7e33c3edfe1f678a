package io.skerry.format.block;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * A view of a source with addresses relative to a base address.
 *
 * @param whole the source
 * @param base the address in {@code whole} of byte 0 of this view
 */
record ShiftedSource(ByteSource whole, long base) implements ByteSource {
  @Override
  public MemorySegment read(long address, long length) {
    check(address, length);
    return whole.read(base + address, length);
  }

  @Override
  public void read(long address, MemorySegment into) {
    check(address, into.byteSize());
    whole.read(base + address, into);
  }

  private void check(long address, long length) {
    if (address < 0 || length < 0 || address > size() - length) {
      throw new FormatException(
              "bytes beyond the end of the file", "within " + size(), address + "+" + length)
          .atAddress(address)
          .inFile(name());
    }
  }

  @Override
  public long size() {
    return whole.size() - base;
  }

  @Override
  public String name() {
    return whole.name();
  }
}
