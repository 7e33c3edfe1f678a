package io.skerry.format.index.array;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/**
 * Reads and writes the bitmap of the written pages of an array: bit i is bit {@code 7 - i % 8} of
 * byte {@code i / 8}.
 */
final class PageBits {
  private PageBits() {}

  static long bytes(long pages) {
    return (pages + 7) / 8;
  }

  static BitSet read(ByteReader in, long bytes) {
    if (bytes > Integer.MAX_VALUE / 8) {
      throw in.fault("bytes of a page bitmap", "at most " + Integer.MAX_VALUE / 8, bytes);
    }
    MemorySegment map = in.slice(bytes);
    BitSet bits = new BitSet();
    for (long i = 0; i < bytes; i++) {
      int value = map.get(ValueLayout.JAVA_BYTE, i) & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        if ((value & 0x80 >> bit) != 0) {
          bits.set((int) i * 8 + bit);
        }
      }
    }
    return bits;
  }

  static void write(ByteWriter out, BitSet bits, long bytes) {
    for (int i = 0; i < bytes; i++) {
      int value = 0;
      for (int bit = 0; bit < 8; bit++) {
        value |= bits.get(i * 8 + bit) ? 0x80 >> bit : 0;
      }
      out.u8(value);
    }
  }
}
