package io.skerry.chunk.filter.deflate;

import io.skerry.chunk.filter.bits.DecodeLimit;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/** Compresses and decompresses zlib streams (RFC 1950). Thread-safe; calls are independent. */
interface Zlib {
  /**
   * Compresses data to a zlib stream.
   *
   * @param in the data
   * @param level the compression level, 0 to 9, or -1 for the default
   * @param room the maximum size of the result, in bytes
   * @return the stream in heap memory; empty if it exceeds {@code room}
   */
  Optional<MemorySegment> deflate(MemorySegment in, int level, int room);

  /**
   * Compresses data to a raw deflate stream (RFC 1951), without header and checksum.
   *
   * @param in the data
   * @param level the compression level, 1 to 9, or -1 for the default
   * @param room the maximum size of the result, in bytes
   * @return the stream in heap memory; empty if it exceeds {@code room}
   */
  Optional<MemorySegment> deflateRaw(MemorySegment in, int level, int room);

  /**
   * Decompresses the stream at the start of a segment.
   *
   * @param in the segment
   * @param limit the maximum size of the result
   * @param memory the allocator for the result; it need not be used, and its memory need not be
   *     zeroed
   * @throws io.skerry.exception.FormatException if the stream is damaged or expands to more bytes
   *     than the caller accepts
   * @throws io.skerry.exception.UnsupportedFeatureException if the stream expands to more bytes
   *     than fit in an array, although the caller would accept them
   */
  MemorySegment inflate(MemorySegment in, DecodeLimit limit, SegmentAllocator memory);
}
