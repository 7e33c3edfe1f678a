package io.skerry.chunk.filter.codec;

import java.util.Arrays;

/** Copies earlier output, which all compressors of the LZ family need. */
final class LzCopy {
  private LzCopy() {}

  /**
   * Copies {@code count} bytes from {@code distance} bytes before {@code to}. Source and target may
   * overlap.
   */
  static void copy(byte[] bytes, int to, int distance, int count) {
    if (distance == 1) {
      Arrays.fill(bytes, to, to + count, bytes[to - 1]);
      return;
    }
    int done = 0;
    while (done < count) {
      // The bytes already written repeat too, so the piece doubles each time.
      int piece = Math.min(distance + done, count - done);
      System.arraycopy(bytes, to - distance, bytes, to + done, piece);
      done += piece;
    }
  }
}
