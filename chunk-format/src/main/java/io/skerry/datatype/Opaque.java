package io.skerry.datatype;

import java.nio.charset.StandardCharsets;

/**
 * Bytes whose meaning only a tag tells (class 5).
 *
 * @param size bytes per element
 * @param tag what they are, at most 248 bytes of UTF-8 without NUL
 */
public record Opaque(int size, String tag) implements Datatype {
  /** The longest tag that its one-byte padded length can tell. */
  static final int MAX_TAG = 248;

  /** Refuses a tag that cannot be stored. */
  public Opaque {
    DatatypeChecks.size(size);
    int length = tag.getBytes(StandardCharsets.UTF_8).length;
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
