package io.skerry.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable, short sequence of bytes: copied when created, exposed as read-only memory, compared
 * by content. Used for message bodies and for values that another layer interprets, not for bulk
 * data.
 */
public final class Bytes {
  /** The empty sequence of bytes. */
  public static final Bytes EMPTY = of(MemorySegment.ofArray(new byte[0]));

  /**
   * The bytes, in an array rather than a segment: a segment would need two more objects, and a
   * large group has one value per link.
   */
  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns a copy of the given bytes. Local, thread-safe.
   *
   * @param source the bytes, at most 2<sup>31</sup>-1
   * @throws IllegalStateException if the memory of the segment was released, or if the segment has
   *     more than 2<sup>31</sup>-1 bytes
   * @throws WrongThreadException if only another thread may access the segment
   * @throws OutOfMemoryError if the heap cannot hold the copy
   */
  public static Bytes of(MemorySegment source) {
    return new Bytes(source.toArray(ValueLayout.JAVA_BYTE));
  }

  /** Returns the bytes as a read-only segment. Local, thread-safe; does not fail. */
  public MemorySegment segment() {
    return MemorySegment.ofArray(bytes).asReadOnly();
  }

  /** Returns the number of bytes. Local, thread-safe; does not fail. */
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
