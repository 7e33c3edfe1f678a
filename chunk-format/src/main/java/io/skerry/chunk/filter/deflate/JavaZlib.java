package io.skerry.chunk.filter.deflate;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.DecodeLimit;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Compresses and decompresses data with the zlib of the JDK. */
final class JavaZlib implements Zlib {
  private static final int LOWEST_LEVEL = -1;
  private static final int HIGHEST_LEVEL = 9;

  private final List<IdleStreams<Deflater>> deflaters = byLevel(Deflater::new);
  private final List<IdleStreams<Deflater>> rawDeflaters =
      byLevel(level -> new Deflater(level, true));
  private final IdleStreams<Inflater> inflaters =
      new IdleStreams<>(Inflater::new, Inflater::reset, Inflater::end);

  private static List<IdleStreams<Deflater>> byLevel(IntFunction<Deflater> create) {
    return IntStream.rangeClosed(LOWEST_LEVEL, HIGHEST_LEVEL)
        .mapToObj(
            level -> new IdleStreams<>(() -> create.apply(level), JavaZlib::reset, Deflater::end))
        .toList();
  }

  private static void reset(Deflater deflater) {
    deflater.setStrategy(Deflater.DEFAULT_STRATEGY);
    deflater.reset();
  }

  @Override
  public Optional<MemorySegment> deflate(MemorySegment in, int level, int room) {
    return deflaters.get(level - LOWEST_LEVEL).use(deflater -> deflate(deflater, in, room));
  }

  @Override
  public Optional<MemorySegment> deflateRaw(MemorySegment in, int level, int room) {
    return rawDeflaters.get(level - LOWEST_LEVEL).use(deflater -> deflate(deflater, in, room));
  }

  private static Optional<MemorySegment> deflate(Deflater deflater, MemorySegment in, int room) {
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
  }

  /**
   * Compresses byte planes and starts a new block for each group that {@link PlaneGroups} finds.
   *
   * @param in the planes
   * @param level the compression level, 0 to 9, or -1 for the default
   * @param room the maximum size of the result, in bytes
   * @param plane the size of a plane in bytes, at least 1
   * @return the stream in heap memory; empty if it exceeds {@code room}
   */
  Optional<MemorySegment> deflate(MemorySegment in, int level, int room, int plane) {
    byte[] bytes = HeapBytes.arrayOf(in);
    int[] begins = PlaneGroups.begins(bytes, plane);
    return deflaters
        .get(level - LOWEST_LEVEL)
        .use(deflater -> deflate(deflater, bytes, begins, room));
  }

  /**
   * Compresses groups of byte planes.
   *
   * @param begins the index of the first byte of each group
   */
  private static Optional<MemorySegment> deflate(
      Deflater deflater, byte[] bytes, int[] begins, int room) {
    byte[] out = new byte[room];
    int used = 0;
    for (int group = 0; group < begins.length && used < room; group++) {
      boolean last = group == begins.length - 1;
      // A change of strategy ends the block without the marker that a flush inserts. The two
      // strategies differ only in that FILTERED omits the shortest matches.
      deflater.setStrategy(group % 2 == 0 ? Deflater.DEFAULT_STRATEGY : Deflater.FILTERED);
      if (group > 0) {
        used += deflater.deflate(out, used, room - used);
      }
      int end = last ? bytes.length : begins[group + 1];
      deflater.setInput(bytes, begins[group], end - begins[group]);
      if (last) {
        deflater.finish();
      }
      while (used < room && !(last ? deflater.finished() : deflater.needsInput())) {
        used += deflater.deflate(out, used, room - used);
      }
    }
    return deflater.finished()
        ? Optional.of(MemorySegment.ofArray(Arrays.copyOf(out, used)))
        : Optional.empty();
  }

  @Override
  public MemorySegment inflate(MemorySegment in, DecodeLimit limit, SegmentAllocator memory) {
    try {
      return inflaters.use(inflater -> inflate(inflater, in, limit));
    } catch (DataFormatException e) {
      throw new FormatException("deflate stream", "zlib data", String.valueOf(e.getMessage()));
    }
  }

  private static MemorySegment inflate(Inflater inflater, MemorySegment in, DecodeLimit limit)
      throws DataFormatException {
    int most = limit.most();
    byte[] out = new byte[(int) Math.min(most, OutputSizeGuess.initialBytes(in.byteSize()))];
    setInput(inflater, in);
    int used = 0;
    while (!inflater.finished()) {
      if (used == out.length && used < most) {
        out = Arrays.copyOf(out, (int) Math.min(most, Math.max(64, out.length * 2L)));
      }
      // At the limit, only the end of the stream may follow. One spare byte detects any
      // other output.
      boolean full = used == most;
      int more =
          full ? inflater.inflate(new byte[1]) : inflater.inflate(out, used, out.length - used);
      if (full && more > 0) {
        throw limit.exceeded("inflated bytes");
      }
      used += more;
      boolean stuck = inflater.needsInput() || inflater.needsDictionary();
      if (more == 0 && stuck && !inflater.finished()) {
        throw new FormatException("deflate stream", "its end", "the end of the stored bytes");
      }
    }
    return MemorySegment.ofArray(used == out.length ? out : Arrays.copyOf(out, used));
  }

  /** Sets the input. Native memory is read without a copy. */
  private static void setInput(Inflater inflater, MemorySegment in) {
    if (in.isNative() && in.byteSize() <= HeapBytes.MAX_ARRAY) {
      inflater.setInput(in.asByteBuffer());
    } else {
      inflater.setInput(HeapBytes.arrayOf(in));
    }
  }
}
