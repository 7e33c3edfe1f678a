package io.skerry.datatype;

import io.skerry.chunk.bytes.StoredText;

/**
 * Opaque bytes, described by a tag (class 5).
 *
 * @param size the size of an element in bytes
 * @param tag the description of the content, at most 248 bytes of UTF-8 without NUL
 */
public record Opaque(int size, String tag) implements Datatype {
  /**
   * The maximum size of a tag in bytes: the largest multiple of 8 that the one-byte length field
   * can hold.
   */
  static final int MAX_TAG = 248;

  /**
   * Creates an opaque type. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the size is below 1, or the tag is too long or contains a
   *     NUL
   */
  public Opaque {
    DatatypeChecks.size(size);
    int length = StoredText.encode(tag).length;
    if (length > MAX_TAG || tag.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "tag holds a NUL or is too long: bytes=" + length + " limit=" + MAX_TAG);
    }
  }

  @Override
  public String toString() {
    return "opaque[" + size + "]" + (tag.isEmpty() ? "" : "(" + tag + ")");
  }
}
