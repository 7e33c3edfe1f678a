package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.DecodedBytes;
import io.skerry.chunk.filter.codec.BlockCodec;
import io.skerry.chunk.filter.codec.LibraryCodec;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * Filter 32004: compresses blocks with LZ4. The first client data value is the block size in bytes;
 * if it is missing, 0, or 2^31 or more, the size is 2^30.
 *
 * <pre>
 * 0          8          12
 * +----------+----------+- for each block --------------------+
 * | bytes    | bytes    | stored bytes | LZ4 data; the block  |
 * | u64      | per block| u32          | itself if its size   |
 * |          | u32      |              | is the stored size   |
 * +----------+----------+--------------+----------------------+
 * </pre>
 *
 * All numbers are big-endian. The last block may be shorter.
 */
public final class Lz4Filter implements Filter {
  private static final int DEFAULT_BLOCK = 1 << 30;
  private static final int HEADER = 12;

  @Override
  public int id() {
    return Filters.LZ4;
  }

  @Override
  public String name() {
    return "lz4";
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    if (!CompressedOutput.fitsArray(in)) {
      return Optional.empty();
    }
    int length = (int) in.byteSize();
    int block = Math.min(blockBytes(spec), length);
    ByteArrayOutputStream out = new ByteArrayOutputStream(length / 2 + 16);
    out.writeBytes(BigEndianReader.u64(length));
    out.writeBytes(BigEndianReader.u32(block));
    BlockCodec codec = LibraryCodec.lz4();
    for (int at = 0; at < length; at += block) {
      MemorySegment plain = in.asSlice(at, Math.min(block, length - at));
      MemorySegment packed = CompressedOutput.block(codec, plain);
      MemorySegment stored = packed.byteSize() < plain.byteSize() ? packed : plain;
      out.writeBytes(BigEndianReader.u32((int) stored.byteSize()));
      out.writeBytes(stored.toArray(ValueLayout.JAVA_BYTE));
    }
    return CompressedOutput.unlessGrown(in, MemorySegment.ofArray(out.toByteArray()), growth);
  }

  private static int blockBytes(FilterSpec spec) {
    int[] data = spec.clientData();
    return data.length == 0 || data[0] <= 0 ? DEFAULT_BLOCK : data[0];
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    long block = blockBytes(spec);
    return HEADER + bytes + 4 * (bytes / block + 1);
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    BigEndianReader reader = new BigEndianReader(in, "lz4");
    DecodedBytes out = DecodedBytes.of("lz4", reader.u64(), in.byteSize(), limit);
    long block = reader.u32();
    if (block == 0 && out.total() > 0) {
      throw reader.fault("bytes per block", "at least 1", 0);
    }
    BlockCodec codec = LibraryCodec.lz4();
    for (int at = 0; at < out.total(); ) {
      int plain = (int) Math.min(block, out.total() - at);
      MemorySegment stored = reader.slice(reader.u32());
      if (stored.byteSize() == plain) {
        out.put(at, HeapBytes.arrayOf(stored));
      } else if (plain > codec.most(stored.byteSize())) {
        throw reader.fault("decoded bytes of a block of " + stored.byteSize(), "fewer", plain);
      } else {
        codec.decompressFully(stored, out.piece(at, plain));
      }
      at += plain;
    }
    return out.whole();
  }
}
