package io.skerry.iod.object.lease;

import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;

/**
 * A block of numbers that a client may assign to new objects of a type.
 *
 * @param type the type of the objects
 * @param block the number of the block
 * @param client the number of the client
 */
public record IdLease(ObjectType type, long block, long client) {
  /** The number of objects in a block. */
  public static final int BLOCK = 1024;

  /** The largest block number. */
  public static final long LARGEST = ObjectId.LARGEST_NUMBER / BLOCK;

  /**
   * Checks the number of the block.
   *
   * @throws IllegalArgumentException if it is negative or above {@link #LARGEST}
   */
  public IdLease {
    if (block < 0 || block > LARGEST) {
      throw new IllegalArgumentException(
          "block of numbers: expected=0 to " + LARGEST + " actual=" + block);
    }
  }

  /** Returns the first number of the block. Local, thread-safe; does not fail. */
  public long first() {
    return block * BLOCK;
  }
}
