package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A bounds-checked cursor over a container with big-endian numbers. */
final class BigEndianReader {
  private final ByteReader in;

  BigEndianReader(MemorySegment bytes, String structure) {
    in = ByteReader.of(bytes, structure);
  }

  long u64() {
    return Long.reverseBytes(in.i64());
  }

  long u32() {
    return Integer.toUnsignedLong(Integer.reverseBytes(in.i32()));
  }

  MemorySegment slice(long length) {
    return in.slice(length);
  }

  FormatException fault(String field, Object expected, Object actual) {
    return in.fault(field, expected, actual);
  }

  static byte[] u64(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  static byte[] u32(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }
}
