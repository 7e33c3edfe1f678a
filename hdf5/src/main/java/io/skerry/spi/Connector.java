package io.skerry.spi;

import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Stores groups, datasets, attributes and links in HDF5 files or in another store. HDF5 calls this
 * a virtual object layer connector. Immutable, thread-safe: one connector can serve many files at
 * once.
 *
 * <p>A connector implements the contracts of the interfaces in {@code io.skerry}, including which
 * calls are collective: a collective call that fails on one rank throws a {@link
 * io.skerry.parallel.CollectiveException} on all ranks, and opening a missing object throws a
 * {@link io.skerry.NoSuchObjectException} on all ranks. Local methods that read the description of
 * a file throw a {@link io.skerry.exception.FormatException} if it is damaged.
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
   * Runs a program on the first ranks, while the last ranks only serve the files that the program
   * opens. This implementation always throws an {@code UnsupportedFeatureException}. Collective.
   *
   * @param ranks the ranks
   * @param ioRanks the number of ranks that serve, at least 1 and less than the number of ranks
   * @param program the program; it receives the communicator of the ranks that compute, and the
   *     connector through which all of them together open files that the other ranks serve
   * @throws io.skerry.exception.UnsupportedFeatureException if the store has no service of its own
   * @throws IllegalArgumentException if the number is not permitted
   * @throws IllegalStateException if the communicator is closed or belongs to another thread
   * @throws io.skerry.mpi.MpiException if the communication between the ranks fails
   * @throws RuntimeException the exception that the program threw on this rank; on the other ranks,
   *     an exception that names a rank on which the program failed; on a rank that serves, also an
   *     exception of the connector if the service fails or the program leaves a file open
   */
  default void withIoRanks(
      Communicator ranks, int ioRanks, BiConsumer<Communicator, Connector> program) {
    throw new UnsupportedFeatureException("I/O ranks of connector " + name(), "");
  }

  /**
   * Verifies everything that the store keeps for a file. This implementation always throws an
   * {@code UnsupportedFeatureException}. Local, thread-safe.
   *
   * @param path the path of the file
   * @param options the options with which the file is opened
   * @param watcher the watcher, which receives every finding and the progress; an exception that it
   *     throws ends the verification and reaches the caller
   * @return the space usage in bytes, which covers only the structures of the connector's store
   * @throws io.skerry.exception.UnsupportedFeatureException if the connector cannot verify files
   * @throws io.skerry.parallel.CollectiveException if the path is malformed, the file does not
   *     exist, cannot be opened for reading or is open for writing, or the store cannot be used or
   *     fails while it is read
   */
  default SpaceReport verify(Path path, FileOptions options, Verification.Watcher watcher) {
    throw new UnsupportedFeatureException("verification by connector " + name(), path.toString());
  }

  /**
   * Lists everything that the store keeps for a file, in the store's own terms. This implementation
   * always throws an {@code UnsupportedFeatureException}. Local, thread-safe.
   *
   * @param path the path of the file
   * @param lines a consumer of the lines of text; an exception that it throws ends the listing and
   *     reaches the caller
   * @throws io.skerry.exception.UnsupportedFeatureException if the connector cannot list the
   *     contents of its store
   * @throws io.skerry.parallel.CollectiveException if the path is malformed, the file does not
   *     exist, cannot be opened for reading or is open for writing, or the store cannot be used or
   *     fails while it is read
   */
  default void dump(Path path, Consumer<String> lines) {
    throw new UnsupportedFeatureException("dump by connector " + name(), path.toString());
  }

  /**
   * Removes a file, or the remains of its interrupted creation, and nothing else. This
   * implementation always throws an {@code UnsupportedFeatureException}. Local, thread-safe.
   *
   * @param path the path of the file
   * @throws io.skerry.exception.UnsupportedFeatureException if the connector cannot remove files
   * @throws io.skerry.parallel.CollectiveException if the path is malformed, there is no file of
   *     this store at the path, it is open for writing, the store cannot be used, or the file
   *     cannot be removed
   */
  default void remove(Path path) {
    throw new UnsupportedFeatureException("removal by connector " + name(), path.toString());
  }

  /**
   * Returns whether there is anything at a path that prevents the creation of a file, even if it is
   * not a file of this store. Local, thread-safe.
   *
   * @param path the path
   * @return true if the path is taken
   * @throws io.skerry.parallel.CollectiveException if the path is malformed, or the store cannot be
   *     used
   */
  default boolean isTaken(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Returns the number of bytes that the store keeps for a file. This implementation adds the sizes
   * of all files at and below the path. Local, thread-safe.
   *
   * @param path the path of the file
   * @return the number of bytes
   * @throws io.skerry.parallel.CollectiveException if the path is malformed, the file does not
   *     exist, or the store cannot be used
   * @throws UncheckedIOException if the file system reports a failure
   */
  default long bytes(Path path) {
    try (Stream<Path> all = Files.walk(path)) {
      return all.filter(Files::isRegularFile).mapToLong(each -> each.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException("the size of a file: file=" + path, e);
    }
  }

  /**
   * Moves a file that is not open to a path that is not taken, in the same store. This
   * implementation moves it in the file system. Local, thread-safe.
   *
   * @param from the path of the file
   * @param to the new path
   * @throws io.skerry.parallel.CollectiveException if a path is malformed, there is no file of this
   *     store, the new path is taken, or the store cannot be used
   * @throws UncheckedIOException if the file system reports a failure
   */
  default void move(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException("a file cannot be moved: from=" + from + " to=" + to, e);
    }
  }

  /**
   * Returns the path of a sibling of a file, whose name is that of the file with a suffix. Local,
   * thread-safe.
   *
   * @param path the path of the file
   * @param suffix the text that follows the name of the file
   * @return the path of the sibling
   * @throws IllegalArgumentException if the path or the new path is malformed, or the software of
   *     the store is not installed
   */
  default Path beside(Path path, String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  /**
   * Returns whether the files of this store are files or folders of the file system at their paths.
   * Local, thread-safe.
   *
   * @return true if they are
   * @throws IllegalArgumentException if the software of the store is not installed
   */
  default boolean isInFileSystem() {
    return true;
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
