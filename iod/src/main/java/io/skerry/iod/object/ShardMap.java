package io.skerry.iod.object;

import io.skerry.iod.engine.Place;

/**
 * The function that maps each place to a shard. It depends only on the place and on the number of
 * shards, which never changes in a container. Immutable.
 *
 * <pre>
 * h(x)     the finalizer of SplitMix64: x ^= x >>> 30, x *= bf58476d1ce4e5b9, x ^= x >>> 27,
 *          x *= 94d049bb133111eb, x ^= x >>> 31
 * base     h(object)
 *
 * scratch pad, block 0, and the block 2^64-1 that holds a size       base mod shards
 * pair, placement TOGETHER                                           base mod shards
 * pair, placement SPREAD                                h(base ^ CRC-64(key)) mod shards
 * tile or block n                            (h(base ^ n div shards) mod shards + n) mod shards
 *
 * (all operations unsigned; n mod shards is added, so that the sum does not overflow)
 * </pre>
 *
 * <p>Any {@code shards} consecutive tiles that begin at a multiple of that number are in different
 * shards. The rotation changes with each such group, so tiles at a fixed distance are spread, too.
 * A BLOB of one block is in one shard.
 *
 * @param shards the number of shards, at least 1
 */
public record ShardMap(int shards) {
  /** The number of the block that holds the size of a BLOB. */
  static final long SIZE_BLOCK = -1;

  /**
   * Checks the number of shards.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  public ShardMap {
    if (shards < 1) {
      throw new IllegalArgumentException("number of shards: expected=at least 1 actual=" + shards);
    }
  }

  /** Returns the number of the shard of a place. Local, thread-safe; does not fail. */
  public int shardOf(Place place) {
    if (shards == 1) {
      return 0;
    }
    long base = mix(place.object());
    return switch (place) {
      case Place.ScratchPad _ -> reduce(base);
      case Place.Pair pair ->
          isSpread(place.object())
              ? reduce(mix(base ^ Crc64.of(pair.key().segment())))
              : reduce(base);
      case Place.Tile tile -> spread(base, tile.number());
      case Place.Block block ->
          block.number() == 0 || block.number() == SIZE_BLOCK
              ? reduce(base)
              : spread(base, block.number());
    };
  }

  private int spread(long base, long number) {
    long group = Long.divideUnsigned(number, shards);
    return (int) (((long) reduce(mix(base ^ group)) + reduce(number)) % shards);
  }

  private int reduce(long value) {
    return (int) Long.remainderUnsigned(value, shards);
  }

  private static boolean isSpread(long object) {
    try {
      return new ObjectId(object).keyPlacement() == KeyPlacement.SPREAD;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static long mix(long value) {
    long x = value;
    x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
    x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
    return x ^ x >>> 31;
  }
}
