package io.skerry.format.symboltable;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads a local heap, which stores NUL-terminated strings addressed by their offset. Source: HDF5
 * File Format Specification 3.0, section III.D, "Local Heaps".
 *
 * <pre>
 * off  bytes field
 * 0    4     "HEAP"
 * 4    1     version, 0
 * 5    3     reserved
 * 8    L     size of the data segment in bytes
 * 8+L  L     offset of the first free block in it, 1 if none
 * 8+2L O     data segment
 *
 * free block: offset of the next one L, 1 if none | size L in bytes, including this header
 * </pre>
 *
 * <p>The free list is ignored, since reading strings does not need it.
 */
public final class LocalHeap {
  private final Block header;
  private final MemorySegment data;
  private final long dataAddress;

  private LocalHeap(Block header, long dataAddress, MemorySegment data) {
    this.header = header;
    this.dataAddress = dataAddress;
    this.data = data;
  }

  /** Returns the size of the header in bytes, without the data segment. */
  public static int headerSize(Widths widths) {
    return 8 + 2 * widths.length() + widths.offset();
  }

  /**
   * Reads a heap.
   *
   * @throws FormatException if the heap is damaged; the exception names the file and the address
   */
  public static LocalHeap open(ByteSource source, Widths widths, long address) {
    try {
      int size = headerSize(widths);
      ByteReader in = ByteReader.of(source.read(address, size), "local heap");
      in.expectSignature("HEAP");
      in.expect("version", 0, in.u8());
      in.skip(3);
      long length = widths.readLength(in, "bytes of the data segment");
      in.skip(widths.length());
      long at = widths.readAddress(in, "data segment");
      if (length > source.size()) {
        throw in.fault("bytes of the data segment", "at most the file", length);
      }
      return new LocalHeap(new Block(address, size), at, source.read(at, length));
    } catch (FormatException e) {
      throw e.atAddress(address).inObject("local heap").inFile(source.name());
    }
  }

  /**
   * Returns the string at an offset.
   *
   * @throws FormatException if the offset is outside the data segment, or the string has no NUL
   */
  public String text(long offset) {
    return StoredText.decode(bytes(offset).toArray(ValueLayout.JAVA_BYTE));
  }

  /** Returns the bytes of the string at an offset, as a view. */
  MemorySegment bytes(long offset) {
    if (offset < 0 || offset >= data.byteSize()) {
      throw new FormatException("offset in a local heap", "below " + data.byteSize(), offset)
          .atAddress(header.address());
    }
    long end = offset;
    while (end < data.byteSize() && data.get(ValueLayout.JAVA_BYTE, end) != 0) {
      end++;
    }
    if (end == data.byteSize()) {
      throw new FormatException(
              "unterminated text in a local heap", "a NUL", "the end of the data segment")
          .atAddress(header.address());
    }
    return data.asSlice(offset, end - offset);
  }

  /** Returns the file space of the heap header. */
  public Block header() {
    return header;
  }

  /** Returns the address of the data segment. */
  public long dataAddress() {
    return dataAddress;
  }

  /** Returns the size of the data segment in bytes. */
  public long dataSize() {
    return data.byteSize();
  }

  /** Returns the image of the header of a heap without free space. */
  public static BlockImage image(long address, Block data, Widths widths) {
    ByteWriter out = ByteWriter.create();
    out.text("HEAP").u8(0).zeros(3);
    widths.writeLength(out, data.length());
    widths.writeLength(out, 1);
    widths.writeAddress(out, data.address());
    return new BlockImage(address, BlockKind.LOCAL_HEAP, out.written());
  }
}
