package io.skerry.filter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/**
 * A filter: a reversible transformation of the bytes of a chunk between memory and file.
 * Implementations are stateless and thread-safe. No method changes its input; a result may be a
 * view of the input.
 */
public interface Filter {
  /** The registered number, 1 to 65,535. Local, thread-safe; does not fail. */
  int id();

  /** The name, for messages. Local, thread-safe; does not fail. */
  String name();

  /**
   * Completes a specification with the client data that depend on the dataset. A complete
   * specification is returned unchanged. Local, thread-safe.
   *
   * @return the specification to store; empty if the filter cannot be applied to such data
   * @throws IllegalArgumentException if the client data are invalid
   */
  default Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    return Optional.of(spec);
  }

  /**
   * Encodes bytes for the file. Local, thread-safe.
   *
   * @param growth the treatment of results that are not smaller
   * @return the encoded bytes; empty if the filter cannot be applied, or under {@link
   *     Growth#SKIPPED} if the result is not smaller
   * @throws IllegalArgumentException if the client data are invalid
   */
  Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth);

  /**
   * Encodes bytes of known structure for the file. Local, thread-safe.
   *
   * @param planes a hint about the bytes, which must not affect what {@link #decode} returns
   * @throws IllegalArgumentException if the client data are invalid
   */
  default Optional<MemorySegment> encode(
      MemorySegment in, FilterSpec spec, Growth growth, BytePlanes planes) {
    return encode(in, spec, growth);
  }

  /**
   * Decodes bytes from the file. Local, thread-safe.
   *
   * @param limit the greatest number of bytes of the result; a filter stops there, whatever sizes
   *     the input states
   * @throws io.skerry.exception.FormatException if the input is damaged or the result exceeds the
   *     limit
   */
  MemorySegment decode(MemorySegment in, FilterSpec spec, long limit);

  /**
   * Decodes bytes from the file into memory of the caller. Local, thread-safe.
   *
   * @param memory allocates memory for the result, not zeroed; a filter need not use it
   * @throws io.skerry.exception.FormatException if the input is damaged or the result exceeds the
   *     limit
   */
  default MemorySegment decode(
      MemorySegment in, FilterSpec spec, long limit, SegmentAllocator memory) {
    return decode(in, spec, limit);
  }

  /** The treatment of data that a compressor would enlarge. */
  enum Growth {
    /** The larger result is stored, as by the HDF5 library. */
    STORED,
    /** The filter is skipped if it is optional, and its mask bit set. Every reader accepts this. */
    SKIPPED
  }

  /**
   * A hint about the structure of bytes: planes of equal length, one after the other, each with
   * bytes of one significance, as the shuffle filter makes them. Further bytes may follow the last
   * plane. Local, thread-safe; does not fail.
   *
   * @param length bytes of a plane; 0 if unknown
   */
  record BytePlanes(long length) {
    /** No hint. */
    public static final BytePlanes UNKNOWN = new BytePlanes(0);
  }
}
