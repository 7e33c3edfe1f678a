package io.skerry.iod.connector.store;

import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;

/**
 * The values of an open container as a file uses them: the changes of the open transaction, and a
 * flush that finishes and persists it. The connector reaches the shards of a container through this
 * interface only, so an implementation may send reads and changes to other processes.
 *
 * <p>Methods are local unless an implementation states otherwise. They throw an {@link
 * io.skerry.iod.engine.EngineException} if the storage fails. Reads may run concurrently; changes
 * and {@link #flush} must not overlap in time with other calls.
 */
public interface ContainerStore extends AutoCloseable {
  /** Returns the location of the container, for messages. Does not fail. */
  String name();

  /** Returns the number of bytes that the container occupies, which is approximate. */
  long bytes();

  /**
   * Returns the current values: those of the newest persisted transaction and, if the container is
   * open for writing, the changes of the open transaction. They are valid until the next {@link
   * #flush}.
   */
  Values values();

  /**
   * Returns the changes of the open transaction, valid until the next {@link #flush}.
   *
   * @throws IllegalStateException if the container is open for reading
   */
  ValueChanges changes();

  /**
   * Returns the numbers of new objects.
   *
   * @throws IllegalStateException if the container is open for reading
   */
  IdSource ids();

  /**
   * Finishes and persists the open transaction, and starts the next. When the method returns, all
   * changes are on disk. If it throws an exception, the container has either all changes of the
   * transaction or none when it is opened again, and only {@link #close} may be called.
   *
   * @throws IllegalStateException if the container is open for reading
   */
  void flush();

  /** Closes the container without the changes of the open transaction. */
  @Override
  void close();
}
