package io.skerry.chunk.filter.bits;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The decoded content of a container of compressed blocks. Since a damaged container may claim any
 * size, only a moderate size is allocated immediately; more memory is allocated as blocks are
 * decoded.
 */
public final class DecodedBytes {
  /** Claimed size, in bytes, up to which memory is always allocated immediately. */
  private static final long BELIEVED = 1 << 20;

  private static final long BELIEVED_RATIO = 64;

  private final int total;
  private byte[] bytes;

  private DecodedBytes(int total, int believed) {
    this.total = total;
    this.bytes = new byte[Math.min(total, believed)];
  }

  /**
   * Creates memory for the content of a container.
   *
   * @param filter name of the filter, for error messages
   * @param total size of the content that the container claims, in bytes
   * @param stored size of the container, in bytes
   * @param limit maximum size that the caller accepts, in bytes
   * @throws FormatException if the claimed size is negative or exceeds the limit
   * @throws UnsupportedFeatureException if the content does not fit in an array
   */
  public static DecodedBytes of(String filter, long total, long stored, long limit) {
    if (total < 0 || total > limit) {
      throw new FormatException(
          filter + ": decoded bytes", "at most " + limit, Long.toUnsignedString(total));
    }
    if (total > HeapBytes.MAX_ARRAY) {
      throw new UnsupportedFeatureException(filter + " of 2 GiB or more", "reading a chunk");
    }
    long believed = Math.max(BELIEVED, stored * BELIEVED_RATIO);
    return new DecodedBytes((int) total, (int) Math.min(total, believed));
  }

  /** Returns the claimed size of the content in bytes. Part of it may not be allocated yet. */
  public int total() {
    return total;
  }

  /** Returns the memory of a part of the content, valid until the next call on this object. */
  public MemorySegment piece(int from, int length) {
    return MemorySegment.ofArray(upTo(from + length)).asSlice(from, length);
  }

  /** Stores a part of the content at an offset in the content. */
  public void put(int to, byte[] piece) {
    put(to, piece, piece.length);
  }

  /** Stores the first {@code length} bytes of an array at an offset in the content. */
  public void put(int to, byte[] piece, int length) {
    System.arraycopy(piece, 0, upTo(to + length), to, length);
  }

  private byte[] upTo(int end) {
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(total, Math.max(end, bytes.length * 2L)));
    }
    return bytes;
  }

  /** Returns the complete content. */
  public MemorySegment whole() {
    return MemorySegment.ofArray(upTo(total));
  }
}
