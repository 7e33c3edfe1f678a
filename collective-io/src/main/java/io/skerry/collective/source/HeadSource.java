package io.skerry.collective.source;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.ReadAhead;
import io.skerry.mpi.internal.file.ReadOnlyFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads a file. The first bytes are read when the file is opened, and are kept in memory. In a
 * small file, they usually contain all metadata, and often the elements too.
 */
final class HeadSource implements ByteSource {
  /** The maximum number of bytes that are read when the file is opened. */
  private static final int HEAD = 16 << 10;

  private final ReadOnlyFile file;
  private final Path path;
  private final MemorySegment head;
  private final long size;
  private volatile boolean opening = true;

  /** The source of the metadata beyond the first bytes; created on first use. */
  private volatile Optional<ByteSource> behind = Optional.empty();

  private HeadSource(ReadOnlyFile file, Path path, MemorySegment head, long size) {
    this.file = file;
    this.path = path;
    this.head = head;
    this.size = size;
  }

  /**
   * Reads the first bytes of a file.
   *
   * @param path the path of the file, for messages
   * @throws IOException if the file cannot be read
   */
  static HeadSource of(ReadOnlyFile file, Path path) throws IOException {
    MemorySegment bytes = MemorySegment.ofArray(new byte[HEAD]);
    long read = file.read(0, bytes);
    long size = read < HEAD ? read : file.size();
    return new HeadSource(file, path, bytes.asSlice(0, Math.min(read, size)), size);
  }

  /**
   * Ends the opening phase. Until then, elements are copied from the first bytes in memory;
   * afterwards, elements are read from the file, since another program may change them.
   */
  void endOpening() {
    opening = false;
  }

  @Override
  public MemorySegment read(long address, long length) {
    if (address >= 0 && length >= 0 && address <= head.byteSize() - length) {
      return head.asSlice(address, length);
    }
    return behind().read(address, length);
  }

  private ByteSource behind() {
    Optional<ByteSource> known = behind;
    if (known.isPresent()) {
      return known.get();
    }
    ByteSource made = new ReadAhead(new Whole());
    behind = Optional.of(made);
    return made;
  }

  @Override
  public void read(long address, MemorySegment into) {
    if (opening && address >= 0 && address <= head.byteSize() - into.byteSize()) {
      MemorySegment.copy(head, address, into, 0, into.byteSize());
    } else {
      fill(address, into);
    }
  }

  private void fill(long address, MemorySegment into) {
    if (address < 0 || address > size - into.byteSize()) {
      throw outside(address, into.byteSize());
    }
    try {
      if (file.read(address, into) < into.byteSize()) {
        throw outside(address, into.byteSize());
      }
    } catch (IOException e) {
      throw new FormatException("a file that cannot be read", "its bytes", e.toString())
          .inFile(name())
          .atAddress(address);
    }
  }

  private FormatException outside(long address, long length) {
    return new FormatException(
            "a structure lies outside the file", "0.." + size, address + "+" + length)
        .inFile(name())
        .atAddress(address);
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public String name() {
    return path.toString();
  }

  /** Reads from the file, without using the bytes in memory. */
  private final class Whole implements ByteSource {
    @Override
    public MemorySegment read(long address, long length) {
      if (address < 0 || length < 0 || address > size - length) {
        throw outside(address, length);
      }
      MemorySegment bytes = HeapBytes.allocate(length);
      fill(address, bytes);
      return bytes;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public String name() {
      return HeadSource.this.name();
    }
  }
}
