package io.skerry.chunk.filter.bits;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What a container decodes to, made as large as the container claims only as its blocks prove it.
 */
public final class DecodedBytes {
  /** A claim up to here, or up to so many times the stored bytes, gets its memory at once. */
  private static final long BELIEVED = 1 << 20;

  private static final long BELIEVED_RATIO = 64;

  private final int total;
  private byte[] bytes;

  private DecodedBytes(int total, int believed) {
    this.total = total;
    this.bytes = new byte[Math.min(total, believed)];
  }

  /**
   * @param filter for messages
   * @param total what the container claims
   * @param stored bytes of the container
   * @param limit the most that the caller takes
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

  /** All bytes of the container, some of which may not have memory yet. */
  public int total() {
    return total;
  }

  /** The bytes where a piece belongs. */
  public MemorySegment piece(int from, int length) {
    return MemorySegment.ofArray(upTo(from + length)).asSlice(from, length);
  }

  /** Puts a piece at its place. */
  public void put(int to, byte[] piece) {
    put(to, piece, piece.length);
  }

  /** Puts the first bytes of an array at their place. */
  public void put(int to, byte[] piece, int length) {
    System.arraycopy(piece, 0, upTo(to + length), to, length);
  }

  private byte[] upTo(int end) {
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(total, Math.max(end, bytes.length * 2L)));
    }
    return bytes;
  }

  /** The result. */
  public MemorySegment whole() {
    return MemorySegment.ofArray(upTo(total));
  }
}
