package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.BitTransposition;
import io.skerry.chunk.filter.bits.ByteTransposition;
import io.skerry.chunk.filter.bits.DecodedBytes;
import io.skerry.chunk.filter.codec.BlockCodec;
import io.skerry.chunk.filter.codec.BloscLz;
import io.skerry.chunk.filter.codec.LibraryCodec;
import io.skerry.chunk.filter.codec.ZlibCodec;
import io.skerry.datatype.ArrayType;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;

/**
 * Filter 32001: stores data in a Blosc 1 container. Client data: 2 (revision of the filter), 2
 * (version of the format), size in bytes of an element or of an array's base type (1 if it exceeds
 * 255), size of a chunk in bytes, level, shuffle ({@link Filters.BloscShuffle}), compressor (0
 * blosclz, 1 lz4, 2 lz4hc, 3 snappy, 4 zlib, 5 zstd).
 *
 * <pre>
 * header ({@link BloscHeader}) | offset of each block u32 | blocks
 * block  { stored bytes u32 | data, uncompressed if of full size } for each piece
 * </pre>
 *
 * Offsets count from the start of the header. A block is shuffled before it is divided into pieces.
 * A container marked as stored has the uncompressed bytes after its header.
 */
public final class BloscFilter implements Filter {
  private static final int BLOCK = 1 << 18;
  private static final int MIN_BYTES = 128;
  private static final int MAX_TYPE = 255;
  private static final int DEFAULT_LEVEL = 5;

  @Override
  public int id() {
    return Filters.BLOSC;
  }

  @Override
  public String name() {
    return "blosc";
  }

  @Override
  public Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    int[] data = spec.clientData();
    if (data.length < 4 || data[2] != 0) {
      return Optional.of(spec);
    }
    int size = target.elementSize();
    if (target instanceof FilterTarget.Chunk chunk) {
      data[3] = (int) (chunk.elements() * size);
      size = chunk.type() instanceof ArrayType array ? array.base().size() : size;
    }
    data[2] = size > MAX_TYPE ? 1 : size;
    return Optional.of(spec.withClientData(data));
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    int[] data = spec.clientData();
    int size = data.length < 3 ? 0 : data[2];
    if (size < 1 || size > MAX_TYPE) {
      throw new IllegalArgumentException(
          "blosc without an element size; bind it to a dataset first: filter=" + spec);
    }
    if (!CompressedOutput.fitsArray(in)) {
      return Optional.empty();
    }
    int level = data.length < 5 ? DEFAULT_LEVEL : Math.clamp(data[4], 0, 9);
    int shuffle = data.length < 6 ? 1 : data[5];
    Writing writing = Writing.of(data.length < 7 ? 0 : data[6], level);
    byte[] bytes = HeapBytes.arrayOf(in);
    int flags =
        writing.format << 5
            | (shuffle == 1 && size > 1 ? BloscHeader.SHUFFLED : 0)
            | (shuffle == 2 ? BloscHeader.BITS_SHUFFLED : 0)
            | (writing.format == 4 ? BloscHeader.NOT_SPLIT : 0);
    int block = Math.max(1, Math.min(bytes.length, Math.max(size, BLOCK / size * size)));
    block = block > size ? block / size * size : block;
    BloscHeader header = new BloscHeader(flags, size, bytes.length, block, 0);
    byte[] out =
        level == 0 || bytes.length < MIN_BYTES
            ? copied(header, bytes)
            : new BloscWriter(header, writing.codec, bytes).container();
    out = out.length > bytes.length + BloscHeader.SIZE ? copied(header, bytes) : out;
    return CompressedOutput.unlessGrown(in, MemorySegment.ofArray(out), growth);
  }

  /**
   * The format number and codec for writing with a compressor. LZ4 replaces blosclz, lz4hc and
   * unknown compressors.
   */
  private record Writing(int format, BlockCodec codec) {
    static Writing of(int compressor, int level) {
      return switch (compressor) {
        case 3 -> new Writing(2, LibraryCodec.snappy());
        case 4 -> new Writing(3, new ZlibCodec(level));
        case 5 -> new Writing(4, LibraryCodec.zstd(level == 9 ? 22 : Math.max(1, 2 * level - 1)));
        default -> new Writing(1, LibraryCodec.lz4());
      };
    }
  }

  private static byte[] copied(BloscHeader h, byte[] bytes) {
    int length = bytes.length + BloscHeader.SIZE;
    BloscHeader header =
        new BloscHeader(h.flags() | BloscHeader.COPIED, h.typeSize(), h.bytes(), h.block(), length);
    byte[] out = Arrays.copyOf(header.write(), length);
    System.arraycopy(bytes, 0, out, BloscHeader.SIZE, bytes.length);
    return out;
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    // Larger containers are replaced by the uncompressed bytes.
    return bytes + BloscHeader.SIZE;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    BloscHeader header = BloscHeader.read(in);
    DecodedBytes out = DecodedBytes.of("blosc", header.bytes(), header.stored(), limit);
    MemorySegment container = in.asSlice(0, header.stored());
    if (header.isCopied()) {
      ByteReader reader = ByteReader.of(container, "blosc container");
      reader.skip(BloscHeader.SIZE);
      return MemorySegment.ofArray(reader.slice(header.bytes()).toArray(ValueLayout.JAVA_BYTE));
    }
    ByteReader places = ByteReader.of(container, "blosc places of blocks");
    places.skip(BloscHeader.SIZE);
    BlockCodec codec = codec(header.format());
    for (int at = 0; at < out.total(); ) {
      int length = (int) Math.min(header.block(), out.total() - at);
      ByteReader reader = ByteReader.of(container, "blosc block");
      reader.skip(places.u32());
      out.put(at, unshuffled(header, block(header, reader, codec, length)));
      at += length;
    }
    return out.whole();
  }

  private static byte[] block(BloscHeader header, ByteReader in, BlockCodec codec, int length) {
    int pieces = header.pieces(length);
    int plain = length / pieces;
    byte[] block = new byte[0];
    for (int i = 0; i < pieces; i++) {
      MemorySegment stored = in.slice(in.u32());
      boolean copied = stored.byteSize() == plain;
      if (!copied && plain > codec.most(stored.byteSize())) {
        throw in.fault("decoded bytes of a piece of " + stored.byteSize(), "fewer", plain);
      }
      if (stored.byteSize() > HeapBytes.MAX_ARRAY) {
        throw new UnsupportedFeatureException("blosc of 2 GiB or more", "reading a chunk");
      }
      // The block is allocated only after the first piece has passed the size check.
      block = i == 0 ? new byte[length] : block;
      MemorySegment target = MemorySegment.ofArray(block).asSlice((long) i * plain, plain);
      if (copied) {
        target.copyFrom(stored);
      } else {
        codec.decompressFully(stored, target);
      }
    }
    return block;
  }

  private static byte[] unshuffled(BloscHeader header, byte[] block) {
    int size = header.typeSize();
    int count = block.length / size;
    return switch (header.shuffle()) {
      case NONE -> block;
      case BYTES -> {
        byte[] out = new byte[block.length];
        ByteTransposition.toElements(block, out, count, size);
        yield out;
      }
      case BITS -> {
        if (count == 0 || count % 8 != 0) {
          yield block;
        }
        byte[] out = new byte[block.length];
        BitTransposition.toElements(block, out, count, size);
        yield out;
      }
    };
  }

  private static BlockCodec codec(int format) {
    return switch (format) {
      case 0 -> new BloscLz();
      case 1 -> LibraryCodec.lz4();
      case 2 -> LibraryCodec.snappy();
      case 3 -> new ZlibCodec(DEFAULT_LEVEL);
      case 4 -> LibraryCodec.zstd(DEFAULT_LEVEL);
      default ->
          throw new UnsupportedFeatureException(
              "blosc compressor format=" + format, "reading a chunk");
    };
  }
}
