package io.skerry.filter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/**
 * One reversible step between memory and file. Implementations keep no state and are safe for any
 * number of threads. Neither method changes its input; a result may be a view of it.
 */
public interface Filter {
  /** Registered number, 1..65535. */
  int id();

  /** Its name, for messages. */
  String name();

  /**
   * The specification with the client data that depend on the data it is for, as a new dataset
   * stores it. A specification that has them already is returned as it is.
   *
   * @return empty if the filter cannot work on such data
   */
  default Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    return Optional.of(spec);
  }

  /**
   * The bytes to store.
   *
   * @param growth what a compressor does when its result would not be smaller
   * @return empty if the filter cannot, or under {@link Growth#SKIPPED} had better not, do its work
   * @throws IllegalArgumentException if the client data make no sense
   */
  Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth);

  /**
   * The same, for bytes of which something is known.
   *
   * @param planes what is known; it must not decide over what can be decoded
   */
  default Optional<MemorySegment> encode(
      MemorySegment in, FilterSpec spec, Growth growth, BytePlanes planes) {
    return encode(in, spec, growth);
  }

  /**
   * The bytes that {@link #encode} was given.
   *
   * @param limit the most bytes the result may have; a filter stops there, however much the input
   *     promises
   * @throws io.skerry.exception.FormatException if the input is damaged or the result exceeds the
   *     limit
   */
  MemorySegment decode(MemorySegment in, FilterSpec spec, long limit);

  /**
   * The same, into memory that somebody else provides.
   *
   * @param memory gives memory for the result, which holds whatever its last user left; the filter
   *     may do without
   */
  default MemorySegment decode(
      MemorySegment in, FilterSpec spec, long limit, SegmentAllocator memory) {
    return decode(in, spec, limit);
  }

  /** What a compressor does with data that it would make larger. */
  enum Growth {
    /** Stores the larger result, as the HDF5 library does. */
    STORED,
    /** Declines, so that an optional filter is skipped and its mask bit set. Every reader copes. */
    SKIPPED
  }
}
