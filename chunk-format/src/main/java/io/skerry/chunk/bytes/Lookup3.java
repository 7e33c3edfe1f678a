package io.skerry.chunk.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The checksum of HDF5 metadata: the function {@code hashlittle} of Bob Jenkins' public-domain
 * lookup3 (2006), with initial value 0.
 */
public final class Lookup3 {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Lookup3() {}

  /** Returns the 32-bit checksum of all bytes. */
  public static int checksum(MemorySegment bytes) {
    long length = bytes.byteSize();
    int a = 0xdeadbeef + (int) length;
    int b = a;
    int c = a;
    long at = 0;
    while (length - at > 12) {
      a += bytes.get(U32, at);
      b += bytes.get(U32, at + 4);
      c += bytes.get(U32, at + 8);
      a = (a - c) ^ Integer.rotateLeft(c, 4);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 6);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 8);
      b += a;
      a = (a - c) ^ Integer.rotateLeft(c, 16);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 19);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 4);
      b += a;
      at += 12;
    }
    if (at == length) {
      return c;
    }
    a += partial(bytes, at);
    b += partial(bytes, at + 4);
    c += partial(bytes, at + 8);
    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    c = (c ^ b) - Integer.rotateLeft(b, 24);
    return c;
  }

  /** Reads up to four bytes, starting at {@code at}; bytes beyond the end count as zero. */
  private static int partial(MemorySegment bytes, long at) {
    int value = 0;
    for (int i = 0; i < 4 && at + i < bytes.byteSize(); i++) {
      value |= (bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xff) << (8 * i);
    }
    return value;
  }
}
