package io.skerry.chunk.filter.deflate;

import io.skerry.chunk.bytes.HeapBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.Adler32;

/**
 * Compresses byte planes that consist of noise or of runs of one byte, as the shuffle filter
 * produces from the lower bytes of measured data. On such planes, a compressor spends most of its
 * time searching for strings that do not recur. This class therefore compresses a sample of each
 * block to determine whether strings recur, unless nearly all bytes of the block are in runs. The
 * first block for which the compressor is better, and all data after it, are passed to the
 * compressor.
 *
 * <p>The stream depends only on the input, the plane size, the compressor and the level.
 */
final class PlaneDeflate {
  /**
   * The plane size in bytes below which all data is passed to the compressor, because a sample
   * would be as large as a plane.
   */
  static final long SHORTEST_PLANE = 16 << 10;

  private static final int BLOCK = 128 << 10;
  private static final int SAMPLE = 16 << 10;

  /** A block is not sampled if at most one in {@code FEW_LITERALS} of its bytes is outside runs. */
  private static final int FEW_LITERALS = 1024;

  private static final int STREAM = 0x78;
  private static final int SUM_BYTES = 4;

  private final Zlib compressor;
  private final byte[] bytes;
  private final int level;
  private final LowBitOutput out;

  private PlaneDeflate(Zlib compressor, byte[] bytes, int level) {
    this.compressor = compressor;
    this.bytes = bytes;
    this.level = level;
    this.out = new LowBitOutput(bytes.length / 4);
  }

  /**
   * Compresses planes.
   *
   * @param in the planes
   * @param level the compression level, 1 to 9, or -1 for the default
   * @param room the maximum size of the stream, in bytes
   * @param plane the size of a plane in bytes, at least {@link #SHORTEST_PLANE}
   * @param compressor the compressor for data that is neither noise nor runs
   * @return the stream in heap memory; empty if it exceeds {@code room}
   */
  static Optional<MemorySegment> deflate(
      MemorySegment in, int level, int room, int plane, Zlib compressor) {
    PlaneDeflate planes = new PlaneDeflate(compressor, HeapBytes.arrayOf(in), level);
    int own = planes.encodeBlocks(plane, room);
    return own == 0
        ? compressor.deflate(in, level, room)
        : planes.finish(own, room).map(MemorySegment::ofArray);
  }

  /**
   * Encodes blocks up to the first block for which the compressor is better, or until the output
   * reaches {@code room} bytes.
   *
   * @return the number of input bytes that were encoded
   */
  private int encodeBlocks(int plane, int room) {
    int begin = 0;
    while (begin < bytes.length && out.size() < 8L * room) {
      int end = endOfBlock(begin, plane);
      RunBlock block = new RunBlock(bytes, begin, end);
      if (!isBest(block, begin, end)) {
        return begin;
      }
      if (begin == 0) {
        putHead();
      }
      block.write(out, end == bytes.length ? RunBlock.Place.LAST : RunBlock.Place.INNER);
      begin = end;
    }
    return begin;
  }

  /**
   * Returns the end of the block that starts at {@code begin}. The blocks of a plane have nearly
   * equal sizes; bytes after the last plane are treated as part of the last plane.
   */
  private int endOfBlock(int begin, int plane) {
    int planes = bytes.length / plane;
    int at = Math.min(begin / plane, planes - 1);
    int end = at == planes - 1 ? bytes.length : (at + 1) * plane;
    int blocks = (end - begin + BLOCK - 1) / BLOCK;
    return begin + (end - begin + blocks - 1) / blocks;
  }

  private boolean isBest(RunBlock block, int begin, int end) {
    if (block.literals() <= (end - begin) / FEW_LITERALS) {
      return true;
    }
    int from = begin + Math.max(0, end - begin - SAMPLE) / 2;
    int to = Math.min(end, from + SAMPLE);
    MemorySegment sample = MemorySegment.ofArray(bytes).asSlice(from, to - from);
    // The result is not needed if it is larger than the sample.
    Optional<MemorySegment> compressed = compressor.deflateRaw(sample, level, to - from);
    long others = compressed.map(MemorySegment::byteSize).orElse((long) to - from);
    return new RunBlock(bytes, from, to).bits() <= 8 * others + 8;
  }

  private void putHead() {
    int effort =
        switch (level) {
          case 1 -> 0;
          case 2, 3, 4, 5 -> 1;
          case 7, 8, 9 -> 3;
          default -> 2;
        };
    int flags = effort << 6;
    int check = 31 - (STREAM << 8 | flags) % 31;
    byte[] head = {STREAM, (byte) (flags + check)};
    out.putBytes(head, 0, head.length);
  }

  /**
   * Passes the remaining bytes to the compressor, appends the checksum and returns the stream;
   * empty if it exceeds {@code room} bytes.
   */
  private Optional<byte[]> finish(int own, int room) {
    if (own < bytes.length) {
      RunBlock.writeNothing(out);
    }
    byte[] begun = out.toArray();
    MemorySegment rest = MemorySegment.NULL;
    long left = (long) room - begun.length - SUM_BYTES;
    if (own < bytes.length) {
      MemorySegment source = MemorySegment.ofArray(bytes).asSlice(own);
      Optional<MemorySegment> made =
          left > 0
              ? compressor.deflateRaw(source, level, (int) left)
              : Optional.<MemorySegment>empty();
      if (made.isEmpty()) {
        return Optional.empty();
      }
      rest = made.get();
    }
    if (rest.byteSize() > left) {
      return Optional.empty();
    }
    byte[] stream = Arrays.copyOf(begun, begun.length + (int) rest.byteSize() + SUM_BYTES);
    MemorySegment.copy(rest, ValueLayout.JAVA_BYTE, 0, stream, begun.length, (int) rest.byteSize());
    Adler32 sum = new Adler32();
    sum.update(bytes);
    for (int i = 0; i < SUM_BYTES; i++) {
      stream[stream.length - SUM_BYTES + i] = (byte) (sum.getValue() >>> 8 * (SUM_BYTES - 1 - i));
    }
    return Optional.of(stream);
  }
}
