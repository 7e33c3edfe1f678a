package io.skerry.format.file;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.format.block.AddressMapping;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.CacheImageMessage;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A source that returns the blocks of a metadata cache image in place of the bytes at their
 * addresses. When the HDF5 library closes a file with such an image, it stores its cached metadata
 * blocks in the image and need not write them to their own addresses, so the image takes precedence
 * over the file. Thread-safe.
 *
 * <pre>
 * image:  "MDCI" | version 0 u8 | flags u8 | bytes L | entries u32 | all entries | lookup3 checksum
 * entry:  type u8 | flags u8 | ring u8 | age u8 | children u16 | dirty children u16 | parents u16
 *         | rank i32 | address O | bytes L | parent addresses O each | content
 * </pre>
 *
 * <p>Flag 0x01 of an image indicates that it contains the adaptive resize status of the cache; such
 * an image is rejected.
 */
final class CacheImageSource implements ByteSource {
  private static final String STRUCTURE = "metadata cache image";

  private final ByteSource file;

  /** Blocks of the image by address. No two of them overlap. */
  private final TreeMap<Long, MemorySegment> blocks;

  private CacheImageSource(ByteSource file, TreeMap<Long, MemorySegment> blocks) {
    this.file = file;
    this.blocks = blocks;
  }

  /**
   * Returns a source that overlays a file with its metadata cache image, or the file itself if it
   * has no image.
   *
   * @throws FormatException if the image is damaged
   */
  static ByteSource over(ByteSource file, Widths widths, Optional<ObjectHeader> extension) {
    Optional<CacheImageMessage> message =
        extension
            .flatMap(header -> header.find(CacheImageMessage.class))
            .filter(image -> FileAddress.isDefined(image.address()) && image.length() > 0);
    return message.isPresent()
        ? new CacheImageSource(file, blocks(file, widths, message.get()))
        : file;
  }

  private static TreeMap<Long, MemorySegment> blocks(
      ByteSource file, Widths widths, CacheImageMessage message) {
    try {
      MemorySegment image = file.read(message.address(), message.length());
      ByteReader in = ByteReader.of(Checksums.verified(image, STRUCTURE), STRUCTURE);
      in.expectSignature("MDCI");
      in.expect("version", 0, in.u8());
      in.expect("flags", 0, in.u8());
      in.expect("bytes", message.length(), widths.readLength(in, "bytes of the image"));
      TreeMap<Long, MemorySegment> blocks = new TreeMap<>();
      for (long left = in.u32(); left > 0; left--) {
        entry(in, widths, file.size(), blocks);
      }
      in.expect("bytes after the last entry", 0, in.remaining());
      return blocks;
    } catch (FormatException damaged) {
      throw damaged.atAddress(message.address()).inFile(file.name());
    }
  }

  private static void entry(
      ByteReader in, Widths widths, long size, TreeMap<Long, MemorySegment> blocks) {
    in.skip(8);
    int parents = in.u16();
    in.skip(4);
    long address = widths.readAddress(in, "address of an entry");
    long length = widths.readLength(in, "bytes of an entry");
    in.skip((long) parents * widths.offset());
    if (length < 1 || address < 0 || address > size - length) {
      throw in.fault("place of an entry", "within " + size, address + "+" + length);
    }
    MemorySegment content = in.slice(length);
    Map.Entry<Long, MemorySegment> before = blocks.lowerEntry(address + length);
    if (before != null && before.getKey() + before.getValue().byteSize() > address) {
      throw in.fault("place of an entry", "apart from " + before.getKey(), address + "+" + length);
    }
    blocks.put(address, content);
  }

  @Override
  public MemorySegment read(long address, long length) {
    MemorySegment stored = file.read(address, length);
    if (isApart(address, length)) {
      return stored;
    }
    MemorySegment merged = MemorySegment.ofArray(new long[Math.toIntExact((length + 7) / 8)]);
    MemorySegment out = merged.asSlice(0, length).copyFrom(stored);
    overlay(address, out);
    return out;
  }

  @Override
  public void read(long address, MemorySegment into) {
    file.read(address, into);
    overlay(address, into);
  }

  private boolean isApart(long address, long length) {
    Map.Entry<Long, MemorySegment> last = blocks.lowerEntry(address + length);
    return last == null || last.getKey() + last.getValue().byteSize() <= address;
  }

  private void overlay(long address, MemorySegment out) {
    long end = address + out.byteSize();
    Map.Entry<Long, MemorySegment> block = blocks.lowerEntry(end);
    while (block != null && block.getKey() + block.getValue().byteSize() > address) {
      long from = Math.max(address, block.getKey());
      long to = Math.min(end, block.getKey() + block.getValue().byteSize());
      MemorySegment.copy(block.getValue(), from - block.getKey(), out, from - address, to - from);
      block = blocks.lowerEntry(block.getKey());
    }
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public AddressMapping places() {
    return file.places();
  }

  @Override
  public String name() {
    return file.name();
  }
}
