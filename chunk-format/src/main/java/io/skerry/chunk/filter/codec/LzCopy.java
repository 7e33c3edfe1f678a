package io.skerry.chunk.filter.codec;

import java.util.Arrays;

/** The copy of earlier output that all compressors of the LZ family share. */
final class LzCopy {
  private LzCopy() {}

  /** Repeats the bytes {@code distance} before {@code to}, which may overlap what is written. */
  static void copy(byte[] bytes, int to, int distance, int count) {
    if (distance == 1) {
      Arrays.fill(bytes, to, to + count, bytes[to - 1]);
      return;
    }
    int done = 0;
    while (done < count) {
      // What is written already repeats too, so the piece doubles each time.
      int piece = Math.min(distance + done, count - done);
      System.arraycopy(bytes, to - distance, bytes, to + done, piece);
      done += piece;
    }
  }
}
