package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.BitTransposition;
import io.skerry.chunk.filter.bits.DecodedBytes;
import io.skerry.chunk.filter.codec.BlockCodec;
import io.skerry.chunk.filter.codec.LibraryCodec;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.Filters;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;

/**
 * Filter 32008: transposes the bits of blocks of elements ({@link BitTransposition}) and optionally
 * compresses each block.
 *
 * <pre>
 * client data  0, 4 (version) | element size | elements per block or 0
 *              | 0 none, 2 LZ4, 3 Zstandard | level
 * compressed   decoded bytes u64 | decoded bytes per block u32
 *              | { stored bytes u32 | data } ... | rest
 * otherwise    blocks | rest
 * </pre>
 *
 * The numbers in the stored data are big-endian. The number of elements in a block is a multiple of
 * 8; the last block may be shorter. Up to 7 remaining elements are stored last, unchanged.
 *
 * <p>Source: the bitshuffle package by K. Masui.
 */
public final class BitshuffleFilter implements Filter {
  private static final int NONE = 0;
  private static final int WITH_LZ4 = 2;
  private static final int WITH_ZSTD = 3;
  private static final int TARGET_BLOCK = 8192;
  private static final int MIN_BLOCK = 128;
  private static final int HEADER = 12;

  /**
   * Upper bound on the number of bytes that a block takes in addition to 129/128 of its size: the
   * field with its stored size, and the headers and the checksum of LZ4 or Zstandard.
   */
  private static final int BLOCK_OVERHEAD = 64;

  /**
   * The parameters of the filter.
   *
   * @param size size of an element in bytes
   * @param block number of elements in a block, a multiple of 8
   * @param method compressor of the blocks
   * @param level compression level of Zstandard
   */
  private record Parameters(int size, int block, int method, int level) {
    static Parameters of(int[] data) {
      int size = data.length < 3 ? 0 : data[2];
      if (size < 1) {
        throw new FormatException("bitshuffle: element size", "at least 1", size);
      }
      int block = data.length < 4 ? 0 : data[3];
      int method = data.length < 5 ? NONE : data[4];
      int level = data.length < 6 ? 3 : Math.clamp(data[5], 1, 22);
      int chosen = block == 0 ? Math.max(MIN_BLOCK, TARGET_BLOCK / size & ~7) : block;
      if (chosen < 8 || chosen % 8 != 0) {
        throw new FormatException("bitshuffle: elements per block", "a multiple of 8", chosen);
      }
      if (method != NONE && method != WITH_LZ4 && method != WITH_ZSTD) {
        throw new UnsupportedFeatureException(
            "bitshuffle with compressor " + method, "bitshuffle filter");
      }
      return new Parameters(size, chosen, method, level);
    }

    BlockCodec codec() {
      return method == WITH_LZ4 ? LibraryCodec.lz4() : LibraryCodec.zstd(level);
    }

    /** Returns the size in bytes of the block at an offset; 0 if there are no more blocks. */
    int blockBytes(long at, long total) {
      long left = (total - at) / size;
      return Math.toIntExact(Math.min(block, left & ~7L) * size);
    }
  }

  @Override
  public int id() {
    return Filters.BITSHUFFLE;
  }

  @Override
  public String name() {
    return "bitshuffle";
  }

  @Override
  public Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    int[] data = spec.clientData();
    if (data.length < 3 || data[2] != 0) {
      return Optional.of(spec);
    }
    data[2] = target.elementSize();
    return Optional.of(spec.withClientData(data));
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    if (spec.clientData().length > 2 && spec.clientData()[2] == 0) {
      throw new IllegalArgumentException(
          "bitshuffle without an element size; bind it to a dataset first: filter=" + spec);
    }
    Parameters p = Parameters.of(spec.clientData());
    if (!CompressedOutput.fitsArray(in) || in.byteSize() % p.size != 0) {
      return Optional.empty();
    }
    byte[] bytes = HeapBytes.arrayOf(in);
    if (p.method == NONE) {
      return Optional.of(MemorySegment.ofArray(transposed(bytes, p, Direction.TO_PLANES)));
    }
    long blockBytes = (long) p.block * p.size;
    if (blockBytes > HeapBytes.MAX_ARRAY) {
      // The decoder has the same limit. The limit also ensures that the size fits in its four-byte
      // field.
      throw new FormatException(
          "bitshuffle: bytes per block", "at most " + HeapBytes.MAX_ARRAY, blockBytes);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2 + 16);
    out.writeBytes(BigEndianReader.u64(bytes.length));
    out.writeBytes(BigEndianReader.u32((int) blockBytes));
    BlockCodec codec = p.codec();
    int at = 0;
    for (int length; (length = p.blockBytes(at, bytes.length)) > 0; at += length) {
      byte[] block = Arrays.copyOfRange(bytes, at, at + length);
      byte[] planes = turned(block, p.size, Direction.TO_PLANES);
      MemorySegment stored = CompressedOutput.block(codec, MemorySegment.ofArray(planes));
      out.writeBytes(BigEndianReader.u32((int) stored.byteSize()));
      out.writeBytes(stored.toArray(ValueLayout.JAVA_BYTE));
    }
    out.write(bytes, at, bytes.length - at);
    return CompressedOutput.unlessGrown(in, MemorySegment.ofArray(out.toByteArray()), growth);
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    Parameters p = Parameters.of(spec.clientData());
    if (p.method == NONE) {
      return bytes;
    }
    long blocks = bytes / ((long) p.block * p.size) + 1;
    return HEADER + bytes + bytes / 128 + blocks * BLOCK_OVERHEAD;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    Parameters p = Parameters.of(spec.clientData());
    if (p.method != NONE) {
      return decompress(in, p, limit);
    }
    if (in.byteSize() > limit || in.byteSize() % p.size != 0) {
      throw new FormatException(
          "bitshuffle: bytes", "at most " + limit + ", a multiple of " + p.size, in.byteSize());
    }
    if (in.byteSize() > HeapBytes.MAX_ARRAY) {
      throw new UnsupportedFeatureException("bitshuffle of 2 GiB or more", "reading a chunk");
    }
    byte[] bytes = HeapBytes.arrayOf(in);
    return MemorySegment.ofArray(transposed(bytes, p, Direction.TO_ELEMENTS));
  }

  private static MemorySegment decompress(MemorySegment in, Parameters given, long limit) {
    BigEndianReader reader = new BigEndianReader(in, "bitshuffle");
    DecodedBytes out = DecodedBytes.of("bitshuffle", reader.u64(), in.byteSize(), limit);
    long stated = reader.u32() / given.size;
    if (stated % 8 != 0 || stated * given.size > HeapBytes.MAX_ARRAY) {
      throw reader.fault("elements per block", "a multiple of 8", stated);
    }
    // The header overrides the client data. As in the client data, zero means the default block
    // size.
    Parameters p =
        Parameters.of(new int[] {0, 0, given.size, (int) stated, given.method, given.level});
    if (out.total() % p.size != 0) {
      throw reader.fault("decoded bytes", "a multiple of " + p.size, out.total());
    }
    BlockCodec codec = p.codec();
    int at = 0;
    for (int length; (length = p.blockBytes(at, out.total())) > 0; at += length) {
      MemorySegment stored = reader.slice(reader.u32());
      if (length > codec.most(stored.byteSize())) {
        throw reader.fault("decoded bytes of a block of " + stored.byteSize(), "fewer", length);
      }
      byte[] planes = new byte[length];
      codec.decompressFully(stored, MemorySegment.ofArray(planes));
      out.put(at, turned(planes, p.size, Direction.TO_ELEMENTS));
    }
    out.put(at, reader.slice(out.total() - at).toArray(ValueLayout.JAVA_BYTE));
    return out.whole();
  }

  private enum Direction {
    TO_PLANES,
    TO_ELEMENTS
  }

  private static byte[] turned(byte[] block, int size, Direction direction) {
    byte[] out = new byte[block.length];
    switch (direction) {
      case TO_PLANES -> BitTransposition.toPlanes(block, out, block.length / size, size);
      case TO_ELEMENTS -> BitTransposition.toElements(block, out, block.length / size, size);
    }
    return out;
  }

  private static byte[] transposed(byte[] bytes, Parameters p, Direction direction) {
    byte[] out = new byte[bytes.length];
    int at = 0;
    for (int length; (length = p.blockBytes(at, bytes.length)) > 0; at += length) {
      byte[] block = turned(Arrays.copyOfRange(bytes, at, at + length), p.size, direction);
      System.arraycopy(block, 0, out, at, length);
    }
    System.arraycopy(bytes, at, out, at, bytes.length - at);
    return out;
  }
}
