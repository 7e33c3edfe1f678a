package io.skerry.chunk.filter.deflate;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/** Makes and reads zlib streams (RFC 1950). Keeps no state; safe for any number of threads. */
interface Zlib {
  /**
   * Compresses.
   *
   * @param level 0 to 9, or -1 for the usual one
   * @param room the most bytes the result may have
   * @return heap memory; empty if there is not room enough
   */
  Optional<MemorySegment> deflate(MemorySegment in, int level, int room);

  /**
   * Compresses to a bare deflate stream (RFC 1951), without head and sum.
   *
   * @param level 1 to 9, or -1 for the usual one
   * @param room the most bytes the result may have
   * @return heap memory; empty if there is not room enough
   */
  Optional<MemorySegment> deflateRaw(MemorySegment in, int level, int room);

  /**
   * Decompresses the stream at the beginning of some bytes.
   *
   * @param most the most bytes the result may have
   * @param memory gives the memory for the result, which need not be zeroed
   * @throws io.skerry.exception.FormatException if the stream is damaged or has more in it
   */
  MemorySegment inflate(MemorySegment in, int most, SegmentAllocator memory);
}
