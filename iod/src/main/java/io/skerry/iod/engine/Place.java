package io.skerry.iod.engine;

import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The name of a value in a shard. Places are ordered by object, part, and then by key or number.
 * Objects and numbers are compared as unsigned integers, and keys as unsigned bytes; a key that is
 * a prefix of another one comes first. Places are immutable.
 */
public sealed interface Place extends Comparable<Place> {
  /** The maximum length of the key of a pair, in bytes. */
  int LONGEST_KEY = 0xffff;

  /** Returns the identifier of the object, an unsigned integer of 64 bits. */
  long object();

  /** Returns the part of the object to which the value belongs. */
  Part part();

  /**
   * The scratch pad of an object.
   *
   * @param object the identifier of the object
   */
  record ScratchPad(long object) implements Place {
    @Override
    public Part part() {
      return Part.SCRATCH_PAD;
    }
  }

  /**
   * A pair of a key-value object.
   *
   * @param object the identifier of the object
   * @param key the key: 0 to {@link #LONGEST_KEY} bytes with any values
   */
  record Pair(long object, Bytes key) implements Place {
    /**
     * Checks the length of the key.
     *
     * @throws IllegalArgumentException if the key is longer than {@link #LONGEST_KEY}
     */
    public Pair {
      if (key.size() > LONGEST_KEY) {
        throw new IllegalArgumentException(
            "a key is too long: expected=at most " + LONGEST_KEY + " actual=" + key.size());
      }
    }

    @Override
    public Part part() {
      return Part.PAIR;
    }
  }

  /**
   * A tile of an array object.
   *
   * @param object the identifier of the object
   * @param number the linear number of the tile, an unsigned integer of 64 bits
   */
  record Tile(long object, long number) implements Place {
    @Override
    public Part part() {
      return Part.TILE;
    }
  }

  /**
   * A block of a BLOB object.
   *
   * @param object the identifier of the object
   * @param number the number of the block, an unsigned integer of 64 bits
   */
  record Block(long object, long number) implements Place {
    @Override
    public Part part() {
      return Part.BLOCK;
    }
  }

  @Override
  default int compareTo(Place other) {
    int order = Long.compareUnsigned(object(), other.object());
    if (order == 0) {
      order = part().compareTo(other.part());
    }
    if (order != 0) {
      return order;
    }
    return switch (this) {
      case ScratchPad _ -> 0;
      case Pair pair when other instanceof Pair that -> compare(pair.key, that.key);
      case Tile tile when other instanceof Tile that ->
          Long.compareUnsigned(tile.number, that.number);
      case Block block when other instanceof Block that ->
          Long.compareUnsigned(block.number, that.number);
      default -> throw new IllegalStateException("two places of one part differ in their type");
    };
  }

  private static int compare(Bytes one, Bytes two) {
    MemorySegment left = one.segment();
    MemorySegment right = two.segment();
    long at = left.mismatch(right);
    if (at < 0) {
      return 0;
    }
    if (at == left.byteSize() || at == right.byteSize()) {
      return Long.compare(left.byteSize(), right.byteSize());
    }
    return Byte.compareUnsigned(
        left.get(ValueLayout.JAVA_BYTE, at), right.get(ValueLayout.JAVA_BYTE, at));
  }
}
