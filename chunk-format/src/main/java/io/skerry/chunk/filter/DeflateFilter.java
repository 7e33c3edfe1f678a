package io.skerry.chunk.filter;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.bytes.HeapBytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Filter 1: a zlib stream (RFC 1950). Client data 0 is the level.
 *
 * <p>A section of 2 GiB or more is not compressed: the stream would not fit one array.
 */
final class DeflateFilter implements Filter {
  /** No deflate stream expands by more (RFC 1951: 258 bytes from two bits). */
  private static final long MAX_RATIO = 1032;

  /** A limit up to here, or up to so many times the stored bytes, gets its memory at once. */
  private static final long BELIEVED = 1 << 20;

  private static final long BELIEVED_RATIO = 64;

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
    long length = in.byteSize();
    // A stored block costs 5 bytes per 16 KiB at worst; head and sum are 6.
    long worst = length + length / 1024 + 64;
    if (worst > HeapBytes.MAX_ARRAY) {
      return Optional.empty();
    }
    int room = (int) (growth == Growth.SKIPPED ? Math.max(0, length - 1) : worst);
    Deflater deflater = new Deflater(level(spec));
    try {
      deflater.setInput(HeapBytes.arrayOf(in));
      deflater.finish();
      byte[] out = new byte[room];
      int used = 0;
      while (!deflater.finished() && used < room) {
        used += deflater.deflate(out, used, room - used);
      }
      return deflater.finished()
          ? Optional.of(MemorySegment.ofArray(Arrays.copyOf(out, used)))
          : Optional.empty();
    } finally {
      deflater.end();
    }
  }

  private static int level(FilterSpec spec) {
    int[] data = spec.clientData();
    int level = data.length == 0 ? Deflater.DEFAULT_COMPRESSION : data[0];
    if (level < Deflater.DEFAULT_COMPRESSION || level > 9) {
      throw new IllegalArgumentException("deflate level must be 0..9: level=" + level);
    }
    return level;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    long most = Math.min(limit, HeapBytes.MAX_ARRAY);
    byte[] out = new byte[(int) Math.min(most, plausible(in.byteSize()))];
    Inflater inflater = new Inflater();
    try {
      setInput(inflater, in);
      int used = 0;
      while (!inflater.finished()) {
        if (used == out.length && used < most) {
          out = Arrays.copyOf(out, (int) Math.min(most, Math.max(64, out.length * 2L)));
        }
        // At the limit only the end of the stream may follow, which one spare byte finds out.
        boolean full = used == most;
        int more =
            full ? inflater.inflate(new byte[1]) : inflater.inflate(out, used, out.length - used);
        if (full && more > 0) {
          throw new FormatException("inflated bytes", "at most " + most, "more");
        }
        used += more;
        boolean stuck = inflater.needsInput() || inflater.needsDictionary();
        if (more == 0 && stuck && !inflater.finished()) {
          throw new FormatException("deflate stream", "its end", "the end of the stored bytes");
        }
      }
      return MemorySegment.ofArray(used == out.length ? out : Arrays.copyOf(out, used));
    } catch (DataFormatException e) {
      throw new FormatException("deflate stream", "zlib data", String.valueOf(e.getMessage()));
    } finally {
      inflater.end();
    }
  }

  /**
   * Room for the result, which mostly is exactly the limit: up to this much a limit is taken at its
   * word, beyond it the stream has to prove that it needs it.
   */
  private static long plausible(long stored) {
    return Math.min(stored * MAX_RATIO, Math.max(BELIEVED, stored * BELIEVED_RATIO));
  }

  /** Native bytes are read where they are. */
  private static void setInput(Inflater inflater, MemorySegment in) {
    if (in.isNative() && in.byteSize() <= HeapBytes.MAX_ARRAY) {
      inflater.setInput(in.asByteBuffer());
    } else {
      inflater.setInput(HeapBytes.arrayOf(in));
    }
  }
}
