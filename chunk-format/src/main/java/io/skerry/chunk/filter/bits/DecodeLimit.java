package io.skerry.chunk.filter.bits;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;

/**
 * The limit on the output of a filter that decodes into a single array. If the output is longer
 * than the caller accepts, the input is damaged; if it is only too long for an array, the input may
 * be valid.
 *
 * @param filter name of the filter, for error messages
 * @param accepted maximum size that the caller accepts, in bytes
 * @param array maximum length of an array
 */
public record DecodeLimit(String filter, long accepted, int array) {
  /**
   * Returns the limit for an input.
   *
   * @throws UnsupportedFeatureException if the input itself is too long for an array
   */
  public static DecodeLimit of(String filter, MemorySegment in, long accepted) {
    DecodeLimit limit = new DecodeLimit(filter, accepted, HeapBytes.MAX_ARRAY);
    if (in.byteSize() > limit.array) {
      throw limit.unsupported();
    }
    return limit;
  }

  /** Returns the maximum number of decoded bytes. */
  public int most() {
    return (int) Math.min(accepted, array);
  }

  /** Returns whether the caller accepts more bytes than fit in an array. */
  public boolean isOfArray() {
    return accepted > array;
  }

  /**
   * Returns the exception for an input that decodes to more than {@link #most} bytes.
   *
   * @param what the name of the decoded bytes, for the error message
   */
  public RuntimeException exceeded(String what) {
    return isOfArray() ? unsupported() : new FormatException(what, "at most " + most(), "more");
  }

  /** Returns the exception for data that may be valid but does not fit in an array. */
  public UnsupportedFeatureException unsupported() {
    return new UnsupportedFeatureException(filter + " of 2 GiB or more", "reading a chunk");
  }
}
