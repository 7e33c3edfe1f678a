package io.skerry.iod.engine;

/**
 * The parts of an object in which an engine keeps values. The order of the constants is the order
 * of the parts in a shard, and their ordinals are stored.
 */
public enum Part {
  /** The scratch pad of the object: one value. */
  SCRATCH_PAD,
  /** Pairs of a key-value object, in the order of their keys. */
  PAIR,
  /** Tiles of an array object, in the order of their numbers. */
  TILE,
  /** Blocks of a BLOB object, in the order of their numbers. */
  BLOCK
}
