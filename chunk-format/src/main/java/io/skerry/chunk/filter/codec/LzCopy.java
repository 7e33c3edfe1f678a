package io.skerry.chunk.filter.codec;

import java.util.Arrays;

/** Copies byte ranges within decompressed output, as LZ decompressors require. */
final class LzCopy {
  private LzCopy() {}

  /**
   * Copies {@code count} bytes from {@code to - distance} to {@code to}. If {@code count} exceeds
   * {@code distance}, the bytes between the two positions are repeated.
   */
  static void copy(byte[] bytes, int to, int distance, int count) {
    if (distance == 1) {
      Arrays.fill(bytes, to, to + count, bytes[to - 1]);
      return;
    }
    int done = 0;
    while (done < count) {
      // Bytes just written extend the source, so each piece can be twice as long.
      int piece = Math.min(distance + done, count - done);
      System.arraycopy(bytes, to - distance, bytes, to + done, piece);
      done += piece;
    }
  }
}
