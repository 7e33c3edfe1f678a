package io.skerry.chunk.filter.codec;

import java.util.Arrays;

/** Copies bytes from earlier output, as all decompressors of the LZ family do. */
final class LzCopy {
  private LzCopy() {}

  /**
   * Copies {@code count} bytes from {@code distance} bytes before {@code to}. If {@code count}
   * exceeds {@code distance}, the bytes repeat.
   */
  static void copy(byte[] bytes, int to, int distance, int count) {
    if (distance == 1) {
      Arrays.fill(bytes, to, to + count, bytes[to - 1]);
      return;
    }
    int done = 0;
    while (done < count) {
      // Bytes that were just written are copied again, so the piece doubles each time.
      int piece = Math.min(distance + done, count - done);
      System.arraycopy(bytes, to - distance, bytes, to + done, piece);
      done += piece;
    }
  }
}
