package io.skerry.chunk.filter.deflate;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.DecodeLimit;
import io.skerry.exception.FormatException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/**
 * Filter 1: compresses data to a zlib stream (RFC 1950). The first client data value is the
 * compression level.
 *
 * <p>Data larger than about 2 GiB minus 2 MiB is not compressed, because the stream might not fit
 * in an array.
 */
public final class DeflateFilter implements Filter {
  private static final int USUAL = -1;

  /**
   * The input size in bytes below which the zlib of the JDK is used even if libdeflate is
   * installed.
   */
  private static final long SMALL = 4096;

  /**
   * The plane size in bytes below which the zlib of the JDK compresses the planes, in the groups
   * that {@link PlaneGroups} finds.
   */
  private static final long SMALL_PLANE = 5000;

  /**
   * The plane size in bytes below which planes are not put into separate blocks, because the
   * descriptions of the Huffman codes would take about as much space as separate codes save.
   */
  private static final long SHORT_PLANE = 256;

  private final JavaZlib small = new JavaZlib();

  private Zlib zlib(MemorySegment in) {
    return in.byteSize() < SMALL ? small : Libdeflate.find().orElse(small);
  }

  @Override
  public int id() {
    return Filters.DEFLATE;
  }

  @Override
  public String name() {
    return "deflate";
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    return encode(in, spec, growth, Filter.BytePlanes.UNKNOWN);
  }

  @Override
  public Optional<MemorySegment> encode(
      MemorySegment in, FilterSpec spec, Growth growth, Filter.BytePlanes planes) {
    int level = level(spec);
    long length = in.byteSize();
    // Stored blocks add at most 5 bytes for each 16 KiB; header and checksum add 6.
    long worst = length + length / 1024 + 64;
    if (worst > HeapBytes.MAX_ARRAY) {
      return Optional.empty();
    }
    int room = (int) (growth == Growth.SKIPPED ? Math.max(0, length - 1) : worst);
    if (planes.length() >= SHORT_PLANE && planes.length() < SMALL_PLANE) {
      return small.deflate(in, level, room, (int) planes.length());
    }
    if (planes.length() >= PlaneDeflate.SHORTEST_PLANE && level != 0) {
      return PlaneDeflate.deflate(in, level, room, (int) planes.length(), zlib(in));
    }
    return zlib(in).deflate(in, level, room);
  }

  private static int level(FilterSpec spec) {
    int[] data = spec.clientData();
    int level = data.length == 0 ? USUAL : data[0];
    if (level < USUAL || level > 9) {
      throw new FormatException("deflate level", "0..9", level);
    }
    return level;
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    // The fixed Huffman code, which fast encoders may use without trying other codes, takes up to 9
    // bits for a byte.
    return bytes + bytes / 8 + 1024;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    return decode(in, spec, limit, (bytes, _) -> HeapBytes.allocate(bytes));
  }

  @Override
  public MemorySegment decode(
      MemorySegment in, FilterSpec spec, long limit, SegmentAllocator memory) {
    return zlib(in).inflate(in, DecodeLimit.of(name(), in, limit), memory);
  }
}
