package io.skerry.chunk.filter.basic;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Filter 3: appends the Fletcher-32 checksum to the data.
 *
 * <pre>
 * 0            n     n+4
 * +-----------+------+
 * | data      | u32  |
 * +-----------+------+
 * </pre>
 *
 * The checksum is computed over big-endian 16-bit words; if the length is odd, the last byte is the
 * high byte of a word whose low byte is 0. HDF5 before 1.6.3 stored the bytes of each half of the
 * checksum swapped on little-endian machines; such checksums are also accepted.
 */
public final class Fletcher32Filter implements Filter {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Layout of four 16-bit words read as one long. */
  private static final ValueLayout.OfLong QUAD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Number of bytes between two reductions of the sums; keeps the second sum far below 2^63. */
  private static final int BLOCK = 1 << 16;

  @Override
  public int id() {
    return Filters.FLETCHER32;
  }

  @Override
  public String name() {
    return "fletcher32";
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    long length = in.byteSize();
    MemorySegment out = HeapBytes.allocate(length + 4);
    MemorySegment.copy(in, 0, out, 0, length);
    out.set(U32, length, checksum(in));
    return Optional.of(out);
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    return bytes + 4;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    long length = in.byteSize() - 4;
    if (length < 0 || length > limit) {
      throw new FormatException("bytes before the fletcher32 sum", "0.." + limit, length);
    }
    MemorySegment data = in.asSlice(0, length);
    int stored = in.get(U32, length);
    int computed = checksum(data);
    int swapped = (computed & 0x00ff00ff) << 8 | (computed >>> 8 & 0x00ff00ff);
    if (stored != computed && stored != swapped) {
      throw new FormatException(
          "fletcher32 checksum", Integer.toHexString(computed), Integer.toHexString(stored));
    }
    return data;
  }

  public static int checksum(MemorySegment data) {
    long first = 0;
    long second = 0;
    long length = data.byteSize();
    long quads = length & ~7L;
    for (long from = 0; from < quads; from += BLOCK) {
      int count = (int) (Math.min(quads - from, BLOCK) >>> 3);
      for (int i = 0; i < count; i++) {
        long four = data.get(QUAD, from + 8L * i);
        long a = four >>> 48;
        long b = four >>> 32 & 0xffff;
        long c = four >>> 16 & 0xffff;
        long d = four & 0xffff;
        second += 4 * first + 4 * a + 3 * b + 2 * c + d;
        first += a + b + c + d;
      }
      first = fold(first);
      second = fold(second);
    }
    for (long at = quads; at < length; at += 2) {
      int low = at + 1 < length ? data.get(ValueLayout.JAVA_BYTE, at + 1) & 0xff : 0;
      first = fold(first + ((data.get(ValueLayout.JAVA_BYTE, at) & 0xff) << 8 | low));
      second = fold(second + first);
    }
    return (int) (second << 16 | first);
  }

  /**
   * Reduces a sum modulo 65535. A positive multiple of 65535 yields 65535, not 0, as with
   * end-around carry.
   */
  private static long fold(long sum) {
    long folded = sum;
    while (folded > 0xffff) {
      folded = (folded & 0xffff) + (folded >>> 16);
    }
    return folded;
  }
}
