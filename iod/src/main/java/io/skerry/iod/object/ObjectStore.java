package io.skerry.iod.object;

import io.skerry.iod.engine.Container;

/**
 * An open container as a store of checked values: adds checksums to the values, and finds the shard
 * of a place. Immutable; all methods are local and thread-safe.
 */
public final class ObjectStore {
  private final Container container;
  private final ShardMap map;
  private final ChecksumLevel level;

  private ObjectStore(Container container, ChecksumLevel level) {
    this.container = container;
    this.map = new ShardMap(container.info().shards());
    this.level = level;
  }

  /**
   * Returns the store of an open container, which the caller closes. Does not fail.
   *
   * @param level the checksums of values that are written and the checks of those that are read
   */
  public static ObjectStore of(Container container, ChecksumLevel level) {
    return new ObjectStore(container, level);
  }

  /** Returns the container. Does not fail. */
  public Container container() {
    return container;
  }

  /** Returns the function that maps places to shards. Does not fail. */
  public ShardMap shardMap() {
    return map;
  }

  /** Returns the values at a transaction. Does not fail. */
  public Values at(long transaction) {
    return new StoreView(container, map, level, transaction);
  }

  /**
   * Begins the changes of a transaction. The changes of a shard begin with the first change or read
   * of a place in this shard, and may then fail as in {@link io.skerry.iod.engine.Shard#change}.
   */
  public StoreChanges change(long transaction) {
    return new StoreChanges(container, map, level, transaction);
  }
}
