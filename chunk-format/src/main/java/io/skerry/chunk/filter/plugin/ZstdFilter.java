package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.filter.bits.DecodeLimit;
import io.skerry.chunk.filter.codec.LibraryCodec;
import io.skerry.chunk.filter.codec.ZstdFrames;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Filter 32015: Zstandard frames without a container. The first client data value is the
 * compression level, by default 3.
 */
public final class ZstdFilter implements Filter {
  private static final int DEFAULT_LEVEL = 3;

  @Override
  public int id() {
    return Filters.ZSTD;
  }

  @Override
  public String name() {
    return "zstd";
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    int[] data = spec.clientData();
    // As in other implementations of this filter, a level outside the range is clamped.
    int level = data.length == 0 ? DEFAULT_LEVEL : Math.clamp(data[0], 1, 22);
    return CompressedOutput.fitsArray(in)
        ? CompressedOutput.unlessGrown(
            in, CompressedOutput.block(LibraryCodec.zstd(level), in), growth)
        : Optional.empty();
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    // Uncompressed blocks of 128 KiB have headers of 3 bytes.
    return bytes + bytes / 32 + 1024;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    DecodeLimit most = DecodeLimit.of(name(), in, limit);
    return WholeBlock.decode(LibraryCodec.zstd(DEFAULT_LEVEL), in, ZstdFrames.bound(in), most);
  }
}
