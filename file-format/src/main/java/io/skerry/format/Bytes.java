package io.skerry.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A short run of bytes as a value: copied on the way in, read-only on the way out, equal by
 * content. For message bodies and values whose meaning belongs to another layer, never for bulk
 * data.
 */
public final class Bytes {
  /** No bytes. */
  public static final Bytes EMPTY = of(MemorySegment.ofArray(new byte[0]));

  /** An array: a segment takes three more objects, and a large group has a value per link. */
  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of the bytes. */
  public static Bytes of(MemorySegment source) {
    return new Bytes(source.toArray(ValueLayout.JAVA_BYTE));
  }

  /** The bytes, read-only. */
  public MemorySegment segment() {
    return MemorySegment.ofArray(bytes).asReadOnly();
  }

  /** Number of bytes. */
  public int size() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
