package io.skerry.iod.engine;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The snapshots of a container: named states that remain readable when their versions are purged
 * from the container. A snapshot is durable when {@link #complete} returns, and can be opened for
 * reading with {@link Opening#ofSnapshot}.
 *
 * <p>If several processes serve a container, each of them prepares the snapshot of its shards; then
 * one of them completes it. Methods are local and thread-safe, and throw an {@link
 * IllegalStateException} after the container was closed.
 */
public interface Snapshots {
  /** The form of names: letters, digits, and after the first character also {@code . _ -}. */
  Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /** Returns the names of the complete snapshots in ascending order. */
  List<String> names();

  /**
   * Stores the state of the shards that this process serves. Repeats an earlier preparation that
   * was not completed.
   *
   * @param name a name of the form {@link #NAME}
   * @param transaction the transaction whose state the snapshot shows, not above the readable mark;
   *     it must not be purged before the method returns
   * @throws ContainerException if there is a complete snapshot with the name
   * @throws PurgedException if the transaction has been purged
   * @throws IllegalArgumentException if the name does not have the required form
   */
  void prepare(String name, long transaction);

  /**
   * Makes available a snapshot that all shards have prepared.
   *
   * @throws ContainerException if there is a complete snapshot with the name, or if a shard has not
   *     prepared it
   * @throws IllegalArgumentException if the name does not have the required form
   */
  void complete(String name, long transaction);

  /**
   * Deletes a snapshot, complete or only prepared.
   *
   * @throws ContainerException if there is no snapshot with the name
   * @throws IllegalArgumentException if the name does not have the required form
   */
  void delete(String name);

  /**
   * Prepares and completes a snapshot, for a process that serves the whole container.
   *
   * @throws ContainerException if there is a complete snapshot with the name
   * @throws PurgedException if the transaction has been purged
   * @throws IllegalArgumentException if the name does not have the required form
   */
  default void take(String name, long transaction) {
    prepare(name, transaction);
    complete(name, transaction);
  }
}
