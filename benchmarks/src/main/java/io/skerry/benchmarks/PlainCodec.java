package io.skerry.benchmarks;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * An encoding without a chunk format: for every element, its u16 value and, if indices are listed,
 * its u32 index. In deflated form, the bytes are split into byte planes and compressed at level 6.
 */
record PlainCodec(Places places, Packing packing) {
  enum Places {
    /** Every element is stored with its index. */
    LISTED,
    /** All elements are stored, so no indices are needed. */
    ALL
  }

  enum Packing {
    NONE,
    DEFLATED
  }

  private int recordBytes() {
    return places == Places.LISTED ? 6 : 2;
  }

  byte[] encode(int[] indices, MemorySegment values) {
    int size = recordBytes();
    int count = indices.length;
    byte[] plain = new byte[count * size];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < size; j++) {
        int value = values.getAtIndex(DetectorFrame.U16, i);
        int part = j < 2 ? value >>> 8 * j : indices[i] >>> 8 * (j - 2);
        plain[packing == Packing.NONE ? i * size + j : j * count + i] = (byte) part;
      }
    }
    return packing == Packing.NONE ? plain : deflated(plain);
  }

  private static byte[] deflated(byte[] plain) {
    Deflater deflater = new Deflater(6);
    deflater.setInput(plain);
    deflater.finish();
    byte[] out = new byte[plain.length + plain.length / 1024 + 64];
    int length = deflater.deflate(out);
    deflater.end();
    return Arrays.copyOf(out, length);
  }

  /** Returns a frame that contains the values at their indices, and zeros elsewhere. */
  short[] decode(byte[] stored, int count) throws DataFormatException {
    int size = recordBytes();
    byte[] plain = packing == Packing.NONE ? stored : inflated(stored, count * size);
    short[] frame = new short[DetectorFrame.PIXELS];
    for (int i = 0; i < count; i++) {
      int index = places == Places.LISTED ? 0 : i;
      int value = 0;
      for (int j = 0; j < size; j++) {
        int part = plain[packing == Packing.NONE ? i * size + j : j * count + i] & 0xff;
        if (j < 2) {
          value |= part << 8 * j;
        } else {
          index |= part << 8 * (j - 2);
        }
      }
      frame[index] = (short) value;
    }
    return frame;
  }

  private static byte[] inflated(byte[] stored, int length) throws DataFormatException {
    byte[] plain = new byte[length];
    Inflater inflater = new Inflater();
    inflater.setInput(stored);
    inflater.inflate(plain);
    inflater.end();
    return plain;
  }
}
