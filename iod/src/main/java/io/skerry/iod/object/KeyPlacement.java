package io.skerry.iod.object;

/** The placement of the pairs of a key-value object in the shards of a container. */
public enum KeyPlacement {
  /** All pairs are in one shard; pages of pairs are in the order of the keys. */
  TOGETHER,
  /**
   * Each pair is in a shard that follows from its key, so that large maps use all shards. Pages of
   * pairs are in the order of the shards, and within a shard in the order of the keys.
   */
  SPREAD
}
