package io.skerry.chunk.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing little-endian buffer: the writing twin of {@link ByteReader}. */
public final class ByteWriter {
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int position;

  private ByteWriter(int capacity) {
    bytes = new byte[capacity];
  }

  /** An empty buffer. */
  public static ByteWriter create() {
    return new ByteWriter(256);
  }

  /** An empty buffer with room. */
  public static ByteWriter withCapacity(int capacity) {
    return new ByteWriter(Math.max(16, capacity));
  }

  /** Bytes written. */
  public int position() {
    return position;
  }

  public ByteWriter u8(int value) {
    return uint(value, 1);
  }

  public ByteWriter u16(int value) {
    return uint(value, 2);
  }

  public ByteWriter u32(long value) {
    return uint(value, 4);
  }

  public ByteWriter u64(long value) {
    return uint(value, 8);
  }

  /** The low {@code width} bytes of the value. */
  public ByteWriter uint(long value, int width) {
    room(width);
    for (int i = 0; i < width; i++) {
      bytes[position++] = (byte) (value >>> (8 * i));
    }
    return this;
  }

  public ByteWriter zeros(int count) {
    room(count);
    position += count;
    return this;
  }

  public ByteWriter bytes(MemorySegment source) {
    int length = Math.toIntExact(source.byteSize());
    room(length);
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, 0, bytes, position, length);
    position += length;
    return this;
  }

  public ByteWriter bytes(byte[] source) {
    return bytes(MemorySegment.ofArray(source));
  }

  /** UTF-8 bytes, no terminator. */
  public ByteWriter text(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Overwrites eight bytes written earlier. */
  public ByteWriter patchU64(int at, long value) {
    written().set(U64, at, value);
    return this;
  }

  /** Overwrites bytes written earlier. */
  public ByteWriter patch(int at, long value, int width) {
    for (int i = 0; i < width; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
    return this;
  }

  /** Appends the lookup3 checksum of all bytes written since {@code from}. */
  public ByteWriter checksumFrom(int from) {
    return u32(Lookup3.checksum(written().asSlice(from)) & 0xffffffffL);
  }

  /** A view of what was written; later writes may detach it. */
  public MemorySegment written() {
    return MemorySegment.ofArray(bytes).asSlice(0, position);
  }

  /** A copy of what was written. */
  public byte[] toArray() {
    return Arrays.copyOf(bytes, position);
  }

  private void room(int more) {
    int needed = Math.addExact(position, more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1)));
    }
  }
}
