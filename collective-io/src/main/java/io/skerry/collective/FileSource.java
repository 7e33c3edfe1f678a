package io.skerry.collective;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.collective.spread.SpreadFile;
import io.skerry.format.AddressPlaces;
import io.skerry.format.ByteSource;
import io.skerry.mpi.MpiFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Independent reads of an open file.
 *
 * @param file the file
 * @param base byte at which addresses begin to count
 */
public record FileSource(MpiFile file, long base) implements ByteSource {
  // Small enough to stay in the nearest caches until it is copied on.
  private static final long PART = 256 << 10;

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
    if (length == 0) {
      return;
    }
    if (into.isNative()) {
      file.readAt(base + address, into);
      return;
    }
    // MPI cannot fill arrays.
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment part = arena.allocate(Math.min(PART, length), 8);
      for (long at = 0; at < length; at += part.byteSize()) {
        MemorySegment slice = part.asSlice(0, Math.min(part.byteSize(), length - at));
        file.readAt(base + address + at, slice);
        MemorySegment.copy(slice, 0, into, at, slice.byteSize());
      }
    }
  }

  private void check(long address, long length) {
    SpreadFile.requirePresent(file, base + address, length);
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
  public AddressPlaces places() {
    return SpreadFile.places(file);
  }

  @Override
  public String name() {
    return file.path().toString();
  }
}
