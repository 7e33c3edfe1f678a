package io.skerry.chunk.bytes;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A little-endian cursor over bytes that came from outside. Every read is checked against the end,
 * so that a damaged length ends in a {@link FormatException} that names the structure.
 */
public final class ByteReader {
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment bytes;
  private final String structure;
  private long position;

  private ByteReader(MemorySegment bytes, String structure) {
    this.bytes = bytes;
    this.structure = structure;
  }

  /**
   * @param structure what the bytes are, for error messages
   */
  public static ByteReader of(MemorySegment bytes, String structure) {
    return new ByteReader(bytes, structure);
  }

  /** Bytes read so far. */
  public long position() {
    return position;
  }

  /** Bytes left. */
  public long remaining() {
    return bytes.byteSize() - position;
  }

  /** What the bytes are. */
  public String structure() {
    return structure;
  }

  /** Next byte, 0..255. */
  public int u8() {
    return bytes.get(ValueLayout.JAVA_BYTE, take(1)) & 0xff;
  }

  /** Next two bytes, 0..65535. */
  public int u16() {
    return bytes.get(U16, take(2)) & 0xffff;
  }

  /** Next four bytes, 0..2^32-1. */
  public long u32() {
    return bytes.get(U32, take(4)) & 0xffffffffL;
  }

  /** Next four bytes, as they are. */
  public int i32() {
    return bytes.get(U32, take(4));
  }

  /** Next eight bytes, as they are (all ones is -1). */
  public long i64() {
    return bytes.get(U64, take(8));
  }

  /** Next eight bytes as a count or size; refused if above 2^63-1. */
  public long u63(String field) {
    long value = i64();
    if (value < 0) {
      throw fault(field, "at most 2^63-1", Long.toUnsignedString(value));
    }
    return value;
  }

  /** Unsigned integer of 1 to 8 bytes; all ones in 8 bytes is -1. */
  public long uint(int width) {
    long at = take(width);
    long value = 0;
    for (int i = width - 1; i >= 0; i--) {
      value = value << 8 | (bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xff);
    }
    return value;
  }

  /** The next bytes, as a view. */
  public MemorySegment slice(long length) {
    long at = take(length);
    return bytes.asSlice(at, length);
  }

  /** A cursor over the next bytes, which this cursor passes. */
  public ByteReader sub(long length, String what) {
    return of(slice(length), what);
  }

  /** Passes bytes unread. */
  public void skip(long length) {
    take(length);
  }

  /** The next bytes as UTF-8 text. */
  public String text(long length) {
    return new String(slice(length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }

  /** Text up to a NUL, which is passed too. */
  public String textToNul() {
    long end = position;
    while (end < bytes.byteSize() && bytes.get(ValueLayout.JAVA_BYTE, end) != 0) {
      end++;
    }
    if (end == bytes.byteSize()) {
      throw fault("unterminated text", "a NUL", "the end of the structure");
    }
    String text = text(end - position);
    skip(1);
    return text;
  }

  /** Refuses anything but the given value. */
  public void expect(String field, long expected, long actual) {
    if (expected != actual) {
      throw fault(field, expected, actual);
    }
  }

  /** Refuses anything but the given ASCII signature. */
  public void expectSignature(String signature) {
    String found =
        new String(
            slice(signature.length()).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    if (!found.equals(signature)) {
      throw fault("signature", signature, printable(found));
    }
  }

  /** An exception that names this structure. */
  public FormatException fault(String field, Object expected, Object actual) {
    return new FormatException(structure + ": " + field, expected, actual);
  }

  private static String printable(String raw) {
    StringBuilder text = new StringBuilder();
    for (char c : raw.toCharArray()) {
      text.append(c >= 32 && c < 127 ? String.valueOf(c) : String.format("\\x%02x", (int) c));
    }
    return text.toString();
  }

  private long take(long length) {
    if (length < 0 || length > remaining()) {
      throw fault("bytes needed at offset " + position, length, remaining());
    }
    long at = position;
    position += length;
    return at;
  }
}
