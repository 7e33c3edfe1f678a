package io.skerry.spi;

import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;

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
