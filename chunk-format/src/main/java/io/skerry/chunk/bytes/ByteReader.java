package io.skerry.chunk.bytes;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A little-endian cursor over bytes from a file or another rank. Every read is checked against the
 * end of the bytes, so a damaged length causes a {@link FormatException} that names the structure.
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
   * Creates a cursor.
   *
   * @param bytes the bytes to read
   * @param structure the name of the structure that the bytes hold, for error messages
   */
  public static ByteReader of(MemorySegment bytes, String structure) {
    return new ByteReader(bytes, structure);
  }

  /** Returns the number of bytes read or skipped. */
  public long position() {
    return position;
  }

  /** Returns the number of bytes left. */
  public long remaining() {
    return bytes.byteSize() - position;
  }

  /** Returns the name of the structure. */
  public String structure() {
    return structure;
  }

  /** Reads an unsigned integer of one byte, 0 to 255. */
  public int u8() {
    return bytes.get(ValueLayout.JAVA_BYTE, take(1)) & 0xff;
  }

  /** Reads an unsigned integer of two bytes, 0 to 65535. */
  public int u16() {
    return bytes.get(U16, take(2)) & 0xffff;
  }

  /** Reads an unsigned integer of four bytes, 0 to 2^32-1. */
  public long u32() {
    return bytes.get(U32, take(4)) & 0xffffffffL;
  }

  /** Reads a signed integer of four bytes. */
  public int i32() {
    return bytes.get(U32, take(4));
  }

  /**
   * Reads a signed integer of eight bytes. Returns -1 if all bits are set, as in the undefined
   * address of HDF5.
   */
  public long i64() {
    return bytes.get(U64, take(8));
  }

  /**
   * Reads an unsigned integer of eight bytes, 0 to 2^63-1.
   *
   * @param field the name of the field, for the error message
   * @throws FormatException if the value exceeds 2^63-1
   */
  public long u63(String field) {
    long value = i64();
    if (value < 0) {
      throw fault(field, "at most 2^63-1", Long.toUnsignedString(value));
    }
    return value;
  }

  /**
   * Reads an unsigned integer of 1 to 8 bytes. A value above 2^63-1 is returned as a negative
   * number.
   */
  public long uint(int width) {
    long at = take(width);
    long value = 0;
    for (int i = width - 1; i >= 0; i--) {
      value = value << 8 | (bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xff);
    }
    return value;
  }

  /** Returns a view of the next {@code length} bytes and advances past them. */
  public MemorySegment slice(long length) {
    long at = take(length);
    return bytes.asSlice(at, length);
  }

  /**
   * Returns a cursor over the next bytes and advances past them.
   *
   * @param length the number of bytes
   * @param what the name of the structure that these bytes hold, for error messages
   */
  public ByteReader sub(long length, String what) {
    return of(slice(length), what);
  }

  /** Skips the given number of bytes. */
  public void skip(long length) {
    take(length);
  }

  /**
   * Reads text and decodes it with {@link StoredText#decode}.
   *
   * @param length the number of bytes
   */
  public String text(long length) {
    return StoredText.decode(slice(length).toArray(ValueLayout.JAVA_BYTE));
  }

  /**
   * Reads text up to a NUL, skips the NUL, and decodes the text with {@link StoredText#decode}.
   *
   * @throws FormatException if no NUL follows
   */
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

  /**
   * Throws an exception unless a field has the expected value.
   *
   * @throws FormatException if the values differ
   */
  public void expect(String field, long expected, long actual) {
    if (expected != actual) {
      throw fault(field, expected, actual);
    }
  }

  /**
   * Reads a signature and compares it with the expected one.
   *
   * @param signature the expected signature, in ASCII
   * @throws FormatException if the next bytes differ from the signature
   */
  public void expectSignature(String signature) {
    String found =
        new String(
            slice(signature.length()).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    if (!found.equals(signature)) {
      throw fault("signature", signature, printable(found));
    }
  }

  /**
   * Returns an exception that names this structure.
   *
   * @param field the name of the damaged field
   * @param expected the expected value, or a description of the values allowed
   * @param actual the value found
   */
  public FormatException fault(String field, Object expected, Object actual) {
    return new FormatException(structure + ": " + field, expected, actual);
  }

  private static String printable(String raw) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
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
