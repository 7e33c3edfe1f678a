package io.skerry.iod.engine;

import java.util.Set;

/**
 * An open container: the shards that this process serves, the readable mark, and the snapshots.
 *
 * <p>The readable mark is the number of the newest readable transaction. A transaction becomes
 * readable when the readable mark reaches its number, after each shard has prepared it. When a
 * container is opened, transactions above the readable mark are dropped ({@link Shard#recover}); a
 * transaction therefore is stored in all shards or in none, although each shard commits its changes
 * independently.
 *
 * <p>All methods are local and thread-safe, and throw an {@link IllegalStateException} after {@link
 * #close}. They throw an {@link EngineException} if the storage fails.
 */
public interface Container extends AutoCloseable {
  /** Returns the location. Does not fail. */
  EngineLocation location();

  /** Returns the properties that never change. Does not fail. */
  ContainerInfo info();

  /** Returns the numbers of the shards that this process serves. Does not fail. */
  Set<Integer> served();

  /**
   * Returns a shard.
   *
   * @throws IllegalArgumentException if this process does not serve the shard
   */
  Shard shard(int number);

  /**
   * Returns the readable mark: the number of the newest readable transaction, 0 if there is none. A
   * snapshot has the readable mark with which it was created.
   *
   * @throws IllegalStateException if the engine keeps the readable mark in shard 0, and this
   *     process does not serve shard 0
   */
  long readableMark();

  /**
   * Advances the readable mark, unless another caller has changed it. When the method returns true,
   * the new mark is on disk. Every shard must have prepared all transactions up to the new readable
   * mark that are not aborted, and persisted those with {@link Durability#BUFFERED}, except as
   * {@link #isPersistedByMark} states.
   *
   * @param expected the expected current readable mark
   * @param next the new readable mark, not below {@code expected}
   * @return true if the readable mark was {@code expected} and is {@code next} now; false if it
   *     differs from {@code expected} and is unchanged
   * @throws IllegalArgumentException if {@code next} is below {@code expected}
   * @throws ContainerException if the container has been removed since it was opened
   * @throws IllegalStateException in the case of {@link #readableMark}, or if the container is open
   *     for reading
   */
  boolean advance(long expected, long next);

  /**
   * Returns whether {@link #advance} also makes durable all earlier removals and prepared changes
   * in a shard, so that {@link Shard#persist} is not needed before it: the mark and the shard are
   * in one log. The default implementation returns false. Does not fail.
   *
   * @param shard the number of a shard that this process serves
   */
  default boolean isPersistedByMark(int shard) {
    return false;
  }

  /** Returns the snapshots of this container. Does not fail. */
  Snapshots snapshots();

  /**
   * Recovers all shards with the stored readable mark, for a process that serves the whole
   * container.
   *
   * @return the readable mark
   * @throws IllegalStateException in the case of {@link #readableMark}, or if the container is open
   *     for reading
   */
  default long recover() {
    long mark = readableMark();
    for (int number : served()) {
      shard(number).recover(mark);
    }
    return mark;
  }

  /**
   * Waits for operations in other threads, then closes the container. Changes that are not prepared
   * are discarded at the next opening. Closing a closed container has no effect.
   */
  @Override
  void close();
}
