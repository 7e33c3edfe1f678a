package io.skerry.chunk.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing little-endian buffer; the counterpart of {@link ByteReader}. */
public final class ByteWriter {
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int position;

  private ByteWriter(int capacity) {
    bytes = new byte[capacity];
  }

  /** Creates an empty buffer. */
  public static ByteWriter create() {
    return new ByteWriter(256);
  }

  /**
   * Creates an empty buffer with the given initial capacity in bytes. The buffer grows as needed.
   */
  public static ByteWriter withCapacity(int capacity) {
    return new ByteWriter(Math.max(16, capacity));
  }

  /** Returns the number of bytes written. */
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

  /** Appends the low {@code width} bytes of a value. */
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

  /** Appends text, encoded by {@link StoredText#encode}, without a terminator. */
  public ByteWriter text(String text) {
    return bytes(StoredText.encode(text));
  }

  /**
   * Overwrites eight bytes that were written earlier.
   *
   * @param at the offset of the first byte
   * @param value the new value
   */
  public ByteWriter patchU64(int at, long value) {
    written().set(U64, at, value);
    return this;
  }

  /**
   * Overwrites bytes that were written earlier.
   *
   * @param at the offset of the first byte
   * @param value the new value
   * @param width the number of bytes, 1 to 8
   */
  public ByteWriter patch(int at, long value, int width) {
    for (int i = 0; i < width; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
    return this;
  }

  /** Appends the lookup3 checksum of all bytes starting at offset {@code from}. */
  public ByteWriter checksumFrom(int from) {
    return u32(Lookup3.checksum(written().asSlice(from)) & 0xffffffffL);
  }

  /**
   * Returns a view of the bytes written. A later write may replace the buffer; the view then keeps
   * the old content.
   */
  public MemorySegment written() {
    return MemorySegment.ofArray(bytes).asSlice(0, position);
  }

  /** Returns a copy of the bytes written. */
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
