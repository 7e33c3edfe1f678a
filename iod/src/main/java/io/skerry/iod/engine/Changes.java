package io.skerry.iod.engine;

import java.lang.foreign.MemorySegment;

/**
 * The changes of one transaction in one shard. They are passed on to the engine in bounded batches,
 * so a transaction may be larger than memory. Readers do not see them before the readable mark
 * reaches the transaction.
 *
 * <p>Methods are local and thread-safe, and throw an {@link IllegalStateException} after the
 * changes were prepared, aborted or closed, after one of them failed, or after the container was
 * closed. They throw an {@link EngineException} if the storage fails.
 */
public interface Changes extends AutoCloseable {
  /**
   * A marker of exceptions after which the engine still uses the memory of a value that was passed
   * to it; that memory must not be released.
   */
  interface HoldsMemory {}

  /** The maximum size of a value, in bytes. */
  long LARGEST_VALUE = 1 << 30;

  /** Returns the number of the transaction. Does not fail. */
  long transaction();

  /**
   * Stores a value at a place. It replaces an earlier change of the place in this transaction.
   *
   * @param value the value, which the engine has copied when the method returns; native memory
   *     saves a further copy of a large value, and must stay allocated until then
   * @throws IllegalArgumentException if the value is larger than {@link #LARGEST_VALUE}
   */
  void put(Place place, MemorySegment value);

  /**
   * Removes the value at a place; there need not be one. The removal replaces an earlier change of
   * the place in this transaction.
   */
  void remove(Place place);

  /**
   * Passes all changes made so far to the engine, so that reads at the transaction see them.
   * Nothing becomes durable.
   */
  void flush();

  /**
   * Begins {@link #flush}, so that the flushes of several shards overlap.
   *
   * @return an action that waits for the flush to end and throws its exceptions
   */
  default Runnable startFlush() {
    flush();
    return () -> {};
  }

  /**
   * Completes the changes, which then survive the end of the process. If the method throws an
   * exception, the changes are not prepared, and the transaction can only be aborted.
   *
   * @param durability the point at which the method returns
   */
  void prepare(Durability durability);

  /** Aborts the transaction in this shard, unless the changes were prepared. */
  @Override
  void close();
}
