package io.skerry.format.block;

import io.skerry.exception.FormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A writable byte source in memory. */
public final class MemoryFile implements ByteSource {
  private final long base;
  private byte[] bytes;
  private int size;

  private MemoryFile(byte[] bytes, long base) {
    this.bytes = bytes;
    this.size = bytes.length;
    this.base = base;
  }

  public static MemoryFile empty() {
    return new MemoryFile(new byte[0], 0);
  }

  public static MemoryFile of(byte[] bytes) {
    return new MemoryFile(bytes.clone(), 0);
  }

  public static MemoryFile load(Path path) {
    try {
      return new MemoryFile(Files.readAllBytes(path), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a view of the same bytes with addresses relative to a base address. */
  @Override
  public MemoryFile from(long newBase) {
    return new MemoryFile(bytes, newBase);
  }

  public void write(long address, MemorySegment source) {
    long end = address + source.byteSize();
    grow(end);
    MemorySegment.copy(
        source, ValueLayout.JAVA_BYTE, 0, bytes, (int) address, (int) source.byteSize());
  }

  public void write(BlockImage image) {
    write(image.address(), image.bytes());
  }

  /** Extends the file to at least the given end. */
  public void grow(long end) {
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.max(end, bytes.length * 2L));
    }
    size = (int) Math.max(size, end);
  }

  public byte[] toArray() {
    return Arrays.copyOf(bytes, size);
  }

  public void save(Path path) {
    try {
      Files.write(path, toArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public MemorySegment read(long address, long length) {
    if (address < 0 || length < 0 || address > size() - length) {
      throw new FormatException(
              "bytes beyond the end of the file", "within " + size(), address + "+" + length)
          .atAddress(address)
          .inFile(name());
    }
    return MemorySegment.ofArray(bytes).asSlice(base + address, length).asReadOnly();
  }

  @Override
  public long size() {
    return size - base;
  }

  @Override
  public String name() {
    return "memory";
  }
}
