package io.skerry.collective.multifile;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.format.block.AddressMapping;
import io.skerry.format.block.ByteSource;
import io.skerry.mpi.file.MpiFile;
import java.lang.foreign.MemorySegment;

/**
 * Reads bytes of an open file at given addresses, independently of the other ranks.
 *
 * @param file the file
 * @param base the base address in bytes, to which all addresses are relative
 */
public record FileSource(MpiFile file, long base) implements ByteSource {
  @Override
  public MemorySegment read(long address, long length) {
    check(address, length);
    MemorySegment bytes = HeapBytes.allocate(length);
    if (length > 0) {
      file.readAt(base + address, bytes);
    }
    return bytes;
  }

  @Override
  public void read(long address, MemorySegment into) {
    long length = into.byteSize();
    check(address, length);
    if (length > 0) {
      file.readAt(base + address, into);
    }
  }

  private void check(long address, long length) {
    SegmentedFile.requirePresent(file, base + address, length);
    long size = size();
    if (address < 0 || length < 0 || address > size - length) {
      throw new FormatException(
              "a structure lies outside the file", "0.." + size, address + "+" + length)
          .inFile(name())
          .atAddress(address);
    }
  }

  @Override
  public long size() {
    return Math.max(0, file.size() - base);
  }

  @Override
  public AddressMapping places() {
    return SegmentedFile.places(file);
  }

  @Override
  public String name() {
    return file.path().toString();
  }
}
