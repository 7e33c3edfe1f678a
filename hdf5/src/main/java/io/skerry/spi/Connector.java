package io.skerry.spi;

import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Stores groups, datasets, attributes and links in HDF5 files or in another store. HDF5 calls this
 * a virtual object layer connector. Immutable, thread-safe: one connector can serve many files at
 * once.
 *
 * <p>A connector implements the contracts of the interfaces in {@code io.skerry}, including which
 * calls are collective: a collective call that fails on one rank throws a {@link
 * io.skerry.parallel.CollectiveException} on all ranks, and opening a missing object throws a
 * {@link io.skerry.NoSuchObjectException} on all ranks.
 */
public interface Connector {

  /**
   * Returns the name of the connector, for messages. Local, thread-safe; does not fail.
   *
   * @return the name
   */
  String name();

  /**
   * Opens or creates a file. Collective.
   *
   * @param path the path of the file; {@link FileAccess#CREATE} replaces an existing file, {@link
   *     FileAccess#CREATE_NEW} refuses it
   * @param access the access mode: reading, writing or creation
   * @param ranks the ranks that open the file together
   * @param options the options: limits on memory and threads, the format of new objects, and the
   *     policy for other files
   * @return the open file
   * @throws io.skerry.parallel.CollectiveException on all ranks if any rank cannot open or create
   *     the file, or if the ranks pass different paths, access modes or options
   * @throws IllegalArgumentException if the system property {@code skerry.patience} has an invalid
   *     value on this rank
   * @throws IllegalStateException if the communicator is closed or belongs to another thread
   * @throws io.skerry.mpi.MpiException if the communication between the ranks fails
   */
  StoredFile open(Path path, FileAccess access, Communicator ranks, FileOptions options);

  /**
   * Verifies a file: everything that the store keeps for it. This implementation refuses it. Local.
   *
   * @param path the path of the file
   * @param options the options with which the file is opened
   * @param watcher the watcher, which receives every finding and the progress; an exception that it
   *     throws ends the verification
   * @return the use of space, of which a connector counts only what its store has
   * @throws io.skerry.exception.UnsupportedFeatureException if the connector cannot verify files
   * @throws io.skerry.parallel.CollectiveException if the file does not exist, cannot be opened for
   *     reading, or is open for writing
   */
  default SpaceReport verify(Path path, FileOptions options, Verification.Watcher watcher) {
    throw new UnsupportedFeatureException("verification by connector " + name(), path.toString());
  }

  /**
   * Prints what the store keeps for a file, in the terms of the store. This implementation refuses
   * it. Local.
   *
   * @param path the path of the file
   * @param lines receives the lines
   * @throws io.skerry.exception.UnsupportedFeatureException if the connector has no such terms
   * @throws io.skerry.parallel.CollectiveException if the file does not exist, cannot be opened for
   *     reading, or is open for writing
   */
  default void dump(Path path, Consumer<String> lines) {
    throw new UnsupportedFeatureException("dump by connector " + name(), path.toString());
  }

  /**
   * Removes a file, or what an interrupted creation left of it, and nothing else. This
   * implementation refuses it. Local.
   *
   * @param path the path of the file
   * @throws io.skerry.exception.UnsupportedFeatureException if the connector cannot remove files
   * @throws io.skerry.parallel.CollectiveException if there is no file of this store at the path,
   *     it is open for writing, or it cannot be removed
   */
  default void remove(Path path) {
    throw new UnsupportedFeatureException("removal by connector " + name(), path.toString());
  }

  /**
   * A service that provides the connector for locations of one scheme, such as {@code iod:run}; see
   * {@link Connectors#open(String, FileAccess, Communicator, FileOptions)}. Programs do not call
   * this interface.
   */
  interface Provider {
    /**
     * Returns the scheme. Local, thread-safe; does not fail.
     *
     * @return at least two characters: a lower-case letter, then lower-case letters, digits or the
     *     characters {@code +.-}
     */
    String scheme();

    /**
     * Returns the connector, which receives the part of a location after the colon as a path.
     * Local, thread-safe; does not fail.
     *
     * @return the connector
     */
    Connector connector();
  }
}
