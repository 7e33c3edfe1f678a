package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of a Blosc 1 container; numbers are little-endian.
 *
 * <pre>
 * 0         1           2       3           4       8            12           16
 * +---------+-----------+-------+-----------+-------+------------+------------+
 * | version | version of| flags | type size | bytes | bytes per  | stored     |
 * | 2       | the codec |       |           | u32   | block u32  | bytes, u32 |
 * +---------+-----------+-------+-----------+-------+------------+------------+
 * flags: 1 bytes shuffled, 2 stored without compression, 4 bits shuffled, 16 blocks not split,
 * bits 5..7 format: 0 blosclz, 1 lz4, 2 snappy, 3 zlib, 4 zstd
 * </pre>
 *
 * <p>Source: the chunk format page of C-Blosc 1.
 *
 * @param flags flags as listed above
 * @param typeSize size of an element in bytes
 * @param bytes total decoded size in bytes
 * @param block decoded size of a block in bytes; the last block may be shorter
 * @param stored size of the container in bytes, including the header
 */
record BloscHeader(int flags, int typeSize, long bytes, long block, long stored) {
  static final int SIZE = 16;
  static final int SHUFFLED = 1;
  static final int COPIED = 2;
  static final int BITS_SHUFFLED = 4;
  static final int NOT_SPLIT = 16;
  private static final int VERSION = 2;
  private static final int MAX_SPLITS = 16;
  private static final int MIN_SPLIT = 128;

  static BloscHeader read(MemorySegment container) {
    ByteReader in = ByteReader.of(container, "blosc header");
    int version = in.u8();
    if (version < 1 || version > VERSION) {
      throw in.fault("version", "1.." + VERSION, version);
    }
    in.skip(1);
    BloscHeader header = new BloscHeader(in.u8(), in.u8(), in.u32(), in.u32(), in.u32());
    boolean sound =
        header.typeSize > 0
            && header.stored >= SIZE
            && header.stored <= container.byteSize()
            && (header.bytes == 0 || header.block >= 1 && header.block <= header.bytes);
    if (!sound) {
      throw in.fault("sizes", "block <= bytes, 16 <= stored <= " + container.byteSize(), header);
    }
    return header;
  }

  byte[] write() {
    return ByteBuffer.allocate(SIZE)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) VERSION)
        .put((byte) 1)
        .put((byte) flags)
        .put((byte) typeSize)
        .putInt((int) bytes)
        .putInt((int) block)
        .putInt((int) stored)
        .array();
  }

  boolean isCopied() {
    return (flags & COPIED) != 0;
  }

  /** Returns the format number of the compressed blocks, 0 to 7. */
  int format() {
    return flags >>> 5;
  }

  Filters.BloscShuffle shuffle() {
    if ((flags & SHUFFLED) != 0) {
      return typeSize > 1 ? Filters.BloscShuffle.BYTES : Filters.BloscShuffle.NONE;
    }
    return (flags & BITS_SHUFFLED) != 0 ? Filters.BloscShuffle.BITS : Filters.BloscShuffle.NONE;
  }

  int blocks() {
    return bytes == 0 ? 0 : Math.toIntExact((bytes + block - 1) / block);
  }

  /**
   * Returns the number of pieces into which a block is divided for compression: one for each byte
   * of an element, or 1 if the block is not divided.
   *
   * @param length size of the block in bytes
   * @throws FormatException if the block must be divided, but its size is not a multiple of the
   *     element size
   */
  int pieces(long length) {
    boolean split =
        (flags & NOT_SPLIT) == 0
            && length == block
            && typeSize <= MAX_SPLITS
            && block / typeSize >= MIN_SPLIT;
    if (split && length % typeSize != 0) {
      throw new FormatException("blosc: bytes per block", "a multiple of " + typeSize, length);
    }
    return split ? typeSize : 1;
  }
}
