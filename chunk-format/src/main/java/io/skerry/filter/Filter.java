package io.skerry.filter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/**
 * A filter: transforms the bytes of a chunk before they are stored, and transforms them back when
 * they are read. Some filters are lossy. Implementations are stateless and thread-safe. No method
 * changes its input; a result may be a view of the input. The methods that encode and decode throw
 * a {@link io.skerry.exception.MemoryLimitException} or an {@link OutOfMemoryError} if the memory
 * is insufficient; a {@link io.skerry.filter.pipeline.FilterPipeline} converts such an error to
 * that exception.
 */
public interface Filter {
  /** Returns the registered number, 1 to 65,535. Local, thread-safe; does not fail. */
  int id();

  /** Returns the name of the filter, for error messages. Local, thread-safe; does not fail. */
  String name();

  /**
   * Completes a specification with the client data that depends on the dataset. A complete
   * specification is returned unchanged. Local, thread-safe.
   *
   * @param spec the specification to complete, with the number of this filter
   * @param target the data to which the filter will be applied
   * @return the specification to store; empty if the filter cannot be applied to the data
   * @throws IllegalArgumentException if the client data is invalid; an implementation may also
   *     leave the check to the methods that encode and decode
   * @throws ArithmeticException if a chunk has more than 2^63-1 elements and the filter depends on
   *     their number
   */
  default Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    return Optional.of(spec);
  }

  /**
   * Encodes bytes for the file. Local, thread-safe.
   *
   * @param in the bytes
   * @param spec the specification of the filter
   * @param growth the treatment of results that are not smaller than the input
   * @return the encoded bytes; empty if the filter cannot be applied; a compressor may also return
   *     empty if {@code growth} is {@link Growth#SKIPPED} and the result is not smaller than the
   *     input
   * @throws IllegalArgumentException if {@link #bind} has not completed the client data
   * @throws io.skerry.exception.FormatException if the client data is complete but invalid, or does
   *     not fit the number of bytes
   * @throws io.skerry.exception.UnsupportedFeatureException if the client data requests a variant
   *     that the filter does not support
   */
  Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth);

  /**
   * Encodes bytes of known structure for the file, like {@link #encode(MemorySegment, FilterSpec,
   * Growth)}. Local, thread-safe.
   *
   * @param in the bytes
   * @param spec the specification of the filter
   * @param growth the treatment of results that are not smaller than the input
   * @param planes a hint about the bytes; it must not affect what {@link #decode} returns
   * @return the encoded bytes; empty in the same cases as for the method without a hint
   * @throws IllegalArgumentException in the same cases as the method without a hint
   * @throws io.skerry.exception.FormatException in the same cases as the method without a hint
   * @throws io.skerry.exception.UnsupportedFeatureException in the same cases as the method without
   *     a hint
   */
  default Optional<MemorySegment> encode(
      MemorySegment in, FilterSpec spec, Growth growth, BytePlanes planes) {
    return encode(in, spec, growth);
  }

  /**
   * Decodes bytes from the file. Local, thread-safe.
   *
   * @param in the encoded bytes
   * @param spec the specification of the filter
   * @param limit maximum size of the result in bytes, at least 0, which a filter need not check; a
   *     filter does not decode more than this, regardless of the size that the input claims
   * @return the decoded bytes
   * @throws io.skerry.exception.FormatException if the input is damaged, the client data is
   *     incomplete or invalid, or the result exceeds the limit
   * @throws io.skerry.exception.UnsupportedFeatureException if the input is in a variant of the
   *     format that the filter does not support, or the filter cannot process that many bytes
   */
  MemorySegment decode(MemorySegment in, FilterSpec spec, long limit);

  /**
   * Decodes bytes from the file, using memory that the caller provides. An exception thrown by the
   * allocator is passed on. Local, thread-safe.
   *
   * @param in the encoded bytes
   * @param spec the specification of the filter
   * @param limit maximum size of the result in bytes, at least 0, which a filter need not check
   * @param memory allocator for the result; its memory is not zeroed, and a filter need not use it
   * @return the decoded bytes
   * @throws io.skerry.exception.FormatException if the input is damaged, the client data is
   *     incomplete or invalid, or the result exceeds the limit
   * @throws io.skerry.exception.UnsupportedFeatureException if the input is in a variant of the
   *     format that the filter does not support, or the filter cannot process that many bytes
   */
  default MemorySegment decode(
      MemorySegment in, FilterSpec spec, long limit, SegmentAllocator memory) {
    return decode(in, spec, limit);
  }

  /**
   * Returns an upper bound on the size of the result of {@link #encode}. When a chunk is read, the
   * next filter of the pipeline decodes to no more than this bound, so a filter whose output can
   * exceed the default, four times the input plus 64 KiB, must override this method. Local,
   * thread-safe.
   *
   * @param bytes size of the data in bytes, 0 to 2^48, which a filter need not check
   * @param spec the specification of the filter
   * @return the bound in bytes, at most 2^63-1
   * @throws io.skerry.exception.FormatException if the client data is incomplete or invalid
   * @throws io.skerry.exception.UnsupportedFeatureException if the client data requests a variant
   *     that the filter does not support
   */
  default long maxEncoded(long bytes, FilterSpec spec) {
    return 4 * bytes + (1 << 16);
  }

  /** The treatment of data that a compressor does not make smaller. */
  enum Growth {
    /** The result is stored nevertheless, as with deflate in the HDF5 library. */
    STORED,
    /** If the filter is optional, it is skipped, and its bit in the mask is set. */
    SKIPPED
  }

  /**
   * A hint about the structure of bytes: planes of equal length, one after the other. Each plane
   * holds bytes of the same significance, as produced by the shuffle filter. Other bytes may follow
   * the last plane.
   *
   * @param length size of a plane in bytes, at most the number of bytes, which a filter need not
   *     check; 0 if unknown
   */
  record BytePlanes(long length) {
    /** No hint. */
    public static final BytePlanes UNKNOWN = new BytePlanes(0);
  }
}
