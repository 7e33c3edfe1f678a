package io.skerry.chunk.filter.deflate;

/** Computes the initial size of the output buffer for decompressing a stream. */
final class OutputSizeGuess {
  /** The maximum expansion of a deflate stream (RFC 1951: 258 bytes from two bits). */
  private static final long MAX_RATIO = 1032;

  /** The result size, in bytes, up to which memory is allocated immediately. */
  private static final long BELIEVED = 1 << 20;

  /**
   * The multiple of the stream size up to which memory is allocated immediately, if the product
   * exceeds {@link #BELIEVED}.
   */
  private static final long BELIEVED_RATIO = 64;

  private OutputSizeGuess() {}

  /**
   * Returns the initial buffer size in bytes. The caller uses its own limit if that is smaller, and
   * allocates a larger buffer only when the stream has filled this one.
   *
   * @param stored the size of the stream in bytes
   */
  static long initialBytes(long stored) {
    return Math.min(stored * MAX_RATIO, Math.max(BELIEVED, stored * BELIEVED_RATIO));
  }
}
