package io.skerry.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/**
 * A short run of bytes as a value: copied on the way in, read-only on the way out, equal by
 * content. For message bodies and values whose meaning belongs to another layer, never for bulk
 * data.
 */
public final class Bytes {
  /** No bytes. */
  public static final Bytes EMPTY = of(MemorySegment.ofArray(new byte[0]));

  private final MemorySegment bytes;

  private Bytes(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /** A copy of the bytes. */
  public static Bytes of(MemorySegment source) {
    return new Bytes(MemorySegment.ofArray(source.toArray(ValueLayout.JAVA_BYTE)).asReadOnly());
  }

  /** The bytes, read-only. */
  public MemorySegment segment() {
    return bytes;
  }

  /** Number of bytes. */
  public int size() {
    return (int) bytes.byteSize();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && bytes.mismatch(that.bytes) == -1;
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (long i = 0; i < bytes.byteSize(); i++) {
      hash = 31 * hash + bytes.get(ValueLayout.JAVA_BYTE, i);
    }
    return hash;
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
  }
}
