package io.skerry.chunk.filter.deflate;

/** How much memory a compressed stream gets before it has proved that it needs it. */
final class OutputSizeGuess {
  /** No deflate stream expands by more (RFC 1951: 258 bytes from two bits). */
  private static final long MAX_RATIO = 1032;

  /** A result up to here, or up to so many times the stored bytes, gets its memory at once. */
  private static final long BELIEVED = 1 << 20;

  private static final long BELIEVED_RATIO = 64;

  private OutputSizeGuess() {}

  /**
   * Room for the result, which mostly is exactly the limit: up to this much a limit is taken at its
   * word, beyond it the stream has to prove that it needs it.
   */
  static long initialBytes(long stored) {
    return Math.min(stored * MAX_RATIO, Math.max(BELIEVED, stored * BELIEVED_RATIO));
  }
}
