package io.skerry.spi;

import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;

/**
 * A way of storing the object model: HDF5 files, or something else that has groups, datasets,
 * attributes and links. What HDF5 calls a virtual object layer connector. Immutable; one can serve
 * many files at once.
 *
 * <p>A connector keeps the promises that the classes of {@code io.skerry} make for it: which calls
 * are collective, that a failure on one rank is a {@link io.skerry.parallel.CollectiveException} on
 * all, and that a missing object is a {@link io.skerry.NoSuchObjectException} on all.
 */
public interface Connector {

  /** Name of the connector, for messages. */
  String name();

  /**
   * Opens a file. Collective.
   *
   * @param path the file; with {@link FileAccess#CREATE} one of that name is replaced, with {@link
   *     FileAccess#CREATE_NEW} refused
   * @param access what will be done with it
   * @param ranks those who open it together
   * @param options limits of memory and threads
   */
  StoredFile open(Path path, FileAccess access, Communicator ranks, FileOptions options);
}
