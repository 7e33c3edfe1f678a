package io.skerry;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.TransferReport;
import io.skerry.selection.Selection;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A file that is open on all ranks of a communicator. Static methods without a communicator open
 * the file in this process only. The file is an HDF5 file, unless {@link io.skerry.spi.Connectors}
 * has opened it with a connector that stores the same kinds of objects in a different way.
 *
 * <p>The chunk cache of the file keeps chunks for later reads and writes, and grows with use. Its
 * default limits suit most programs; {@link CacheOptions} changes them.
 *
 * <p>Each method is marked as collective or local. All ranks call the collective methods, in the
 * same order, from the thread that opened the file. If an operation fails on one rank, all ranks
 * throw {@link io.skerry.parallel.CollectiveException}; unless the method states otherwise, nothing
 * has changed in this case. If several ranks have the file open, a call from another thread throws
 * {@link IllegalStateException} on this rank alone. If the communication between the ranks itself
 * fails, a collective method throws {@link io.skerry.mpi.MpiException}.
 *
 * <p>A collective method that flushes (see {@link Dataset#independent}) throws a {@link
 * io.skerry.parallel.CommitException} on all ranks if the commit of that flush fails. From then on,
 * all other collective methods except {@link #close} and {@link #discard} throw {@link
 * IllegalStateException}. The flush is completed or discarded when the file is next opened.
 *
 * <p>The methods that create or open a file throw {@link IllegalArgumentException} on a rank where
 * the system property {@value io.skerry.parallel.Locking#PROPERTY} or {@code skerry.patience} has
 * an invalid value, and {@link IllegalStateException} if the communicator is closed or belongs to
 * another thread.
 *
 * <p>A file that only one rank has open is thread-safe, and so are the objects opened from it.
 * Reads and writes of elements in chunks, and reads of contiguous, compact and external datasets,
 * run concurrently. Reads of virtual datasets, reads and writes of variable-length values in the
 * global heap, flushes and changes to objects run one at a time. If a thread is interrupted while
 * its operation waits for other threads, the operation may throw {@link
 * io.skerry.cache.RequestInterruptedException}; it then has no effect, except as that class states.
 * {@link #close} waits for reads and writes in other threads; later calls throw {@link
 * IllegalStateException}. Local methods may be called by any thread, even if the file is open on
 * several ranks; those of a container with several ranks only by the thread that opened it.
 *
 * <p>A path is a sequence of link names separated by {@code /}, from the root group; the leading
 * {@code /} may be left out. A name is taken if its group has a link with that name. Groups above a
 * new link are created if they are missing, and soft links above it are followed. A path that leads
 * to a new link must have at least one name, must not lead through an external link, and must lead
 * through existing or missing groups only; otherwise the call fails with an {@link
 * IllegalArgumentException}, an {@link io.skerry.exception.UnsupportedFeatureException} or a {@link
 * NoSuchObjectException} as the cause. The cause is a {@link io.skerry.exception.FormatException}
 * if a group on a path is damaged. A method that creates an object or a link also fails if the name
 * or the target of a link contains a NUL, or if a datatype, a fill value, or a link with its name
 * and target exceeds 65,535 bytes, the maximum size of a message in an object header.
 */
// Longer than other types, since more than half of the lines document the API.
public interface H5File extends AutoCloseable {
  /**
   * Creates a file for this process. An existing file with that name is replaced and its contents
   * are lost, as in mode {@code w} of h5py; {@link #createNew(Path)} fails instead. Local.
   *
   * @param path the path of the file
   * @return the file, open for reading and writing
   * @throws io.skerry.parallel.CollectiveException if the path names a folder, a device or a FIFO,
   *     the file is already open for writing, in this process or another, or it cannot be created,
   *     locked or written
   */
  static H5File create(Path path) {
    return create(path, Communicator.self());
  }

  /**
   * Creates a file like {@link #create(Path)}, but on all ranks. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param ranks the ranks that open the file together
   * @return the file, open for reading and writing
   * @throws io.skerry.parallel.CollectiveException on all ranks if the path names a folder, a
   *     device or a FIFO, the file is already open for writing, in this process or another, it
   *     cannot be created, locked or written, or the ranks pass different paths
   */
  static H5File create(Path path, Communicator ranks) {
    return create(path, ranks, FileOptions.standard());
  }

  /**
   * Creates the file at a location, which may name another store, as in {@code iod:run}; an
   * existing file is replaced. Collective.
   *
   * @param location the location, equal on all ranks; {@link io.skerry.spi.Connectors#open(String,
   *     FileAccess, Communicator, FileOptions)} states its form, and accepts other modes and
   *     options
   * @param ranks the ranks that open the file together
   * @return the file, open for reading and writing
   * @throws io.skerry.parallel.CollectiveException on all ranks in the same cases as {@link
   *     #create(Path, Communicator)}, or if the store of the location fails, or the location of a
   *     container names a version or a snapshot
   * @throws IllegalArgumentException on this rank, before any collective call, if no store has the
   *     scheme of the location
   * @throws java.nio.file.InvalidPathException on this rank, before any collective call, if the
   *     path of the location is invalid
   */
  static H5File create(String location, Communicator ranks) {
    return InstalledProvider.get().open(location, FileAccess.CREATE, ranks, FileOptions.standard());
  }

  /**
   * Creates a file like {@link #create(Path)}, but on all ranks and with options. A replaced file
   * keeps its permissions; those of a new file are limited by the umask. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param ranks the ranks that open the file together
   * @param options the options; {@link FileOptions} states which of them must be equal on all ranks
   * @return the file, open for reading and writing
   * @throws io.skerry.parallel.CollectiveException on all ranks if the path names a folder, a
   *     device or a FIFO, the file is already open for writing, in this process or another, it
   *     cannot be created, locked or written, or the ranks pass different paths or options
   */
  static H5File create(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.CREATE, ranks, options);
  }

  /**
   * Creates a file for this process; fails if a file of that name exists, as in mode {@code x} of
   * h5py. Local.
   *
   * @param path the path of the file
   * @return the file, open for reading and writing
   * @throws io.skerry.parallel.CollectiveException if a file of that name exists, or the file
   *     cannot be created, locked or written; an existing file is unchanged
   */
  static H5File createNew(Path path) {
    return createNew(path, Communicator.self());
  }

  /**
   * Creates a file like {@link #createNew(Path)}, but on all ranks. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param ranks the ranks that open the file together
   * @return the file, open for reading and writing
   * @throws io.skerry.parallel.CollectiveException on all ranks if a file of that name exists, the
   *     file cannot be created, locked or written, or the ranks pass different paths; an existing
   *     file is unchanged
   */
  static H5File createNew(Path path, Communicator ranks) {
    return createNew(path, ranks, FileOptions.standard());
  }

  /**
   * Creates a file; fails if a file of that name exists, even if it is a dangling symbolic link.
   * Rank 0 creates the file atomically, so if several programs create it concurrently, only one of
   * them succeeds. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param ranks the ranks that open the file together
   * @param options the options; {@link FileOptions} states which of them must be equal on all ranks
   * @return the file, open for reading and writing
   * @throws io.skerry.parallel.CollectiveException on all ranks if a file of that name exists, the
   *     file cannot be created, locked or written, or the ranks pass different paths or options; an
   *     existing file is unchanged
   */
  static H5File createNew(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.CREATE_NEW, ranks, options);
  }

  /**
   * Opens a file for reading in this process. Local.
   *
   * @param path the path of the file
   * @return the file, open for reading
   * @throws io.skerry.parallel.CollectiveException if the file does not exist, cannot be locked or
   *     read, is not an HDF5 file, is damaged, uses an unsupported feature, is open for writing, or
   *     contains an interrupted flush that cannot be completed or discarded
   */
  static H5File open(Path path) {
    return open(path, Communicator.self());
  }

  /**
   * Opens a file for reading on all ranks. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param ranks the ranks that open the file together
   * @return the file, open for reading
   * @throws io.skerry.parallel.CollectiveException on all ranks if the file does not exist, cannot
   *     be locked or read, is not an HDF5 file, is damaged, uses an unsupported feature, is open
   *     for writing, or contains an interrupted flush that cannot be completed or discarded, or the
   *     ranks pass different paths
   */
  static H5File open(Path path, Communicator ranks) {
    return open(path, ranks, FileOptions.standard());
  }

  /**
   * Opens the file at a location, which may name another store, as in {@code iod:run}. Collective.
   *
   * @param location the location, equal on all ranks; {@link io.skerry.spi.Connectors#open(String,
   *     FileAccess, Communicator, FileOptions)} states its form, and accepts other modes and
   *     options
   * @param ranks the ranks that open the file together
   * @return the file, open for reading
   * @throws io.skerry.parallel.CollectiveException on all ranks in the same cases as {@link
   *     #open(Path, Communicator)}, or if the store of the location fails, or a container does not
   *     have the version or the snapshot that the location names
   * @throws IllegalArgumentException on this rank, before any collective call, if no store has the
   *     scheme of the location
   * @throws java.nio.file.InvalidPathException on this rank, before any collective call, if the
   *     path of the location is invalid
   */
  static H5File open(String location, Communicator ranks) {
    return InstalledProvider.get().open(location, FileAccess.READ, ranks, FileOptions.standard());
  }

  /**
   * Opens a file for reading on all ranks, with options. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param ranks the ranks that open the file together
   * @param options the options; {@link FileOptions} states which of them must be equal on all ranks
   * @return the file, open for reading
   * @throws io.skerry.parallel.CollectiveException on all ranks if the file does not exist, cannot
   *     be locked or read, is not an HDF5 file, is damaged, uses an unsupported feature, is open
   *     for writing, or contains an interrupted flush that cannot be completed or discarded, if the
   *     {@linkplain io.skerry.parallel.Trust policy} refuses a member of a file that is stored in
   *     several files, or if the ranks pass different paths or options
   */
  static H5File open(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.READ, ranks, options);
  }

  /**
   * Follows a file in this process while another program writes it with {@link FileOptions#live}.
   * Local.
   *
   * @param path the path of the file
   * @return the follower, whose file is open at the newest epoch
   * @throws io.skerry.parallel.CollectiveException in the same cases as {@link #follow(Path,
   *     Communicator, FileOptions)}
   * @throws java.io.UncheckedIOException if the file at the path of the live file is not regular,
   *     has a second hard link, or belongs to another user in a folder that several users share
   * @throws io.skerry.mpi.MpiException if the live file cannot be read
   */
  static Follower follow(Path path) {
    return follow(path, Communicator.self(), FileOptions.standard());
  }

  /**
   * Follows a file on all ranks of a communicator while another program writes it with {@link
   * FileOptions#live}. The reader takes no lock and does not delay the writer. If no program
   * publishes epochs of the file, it is opened as by {@link #open(Path, Communicator,
   * FileOptions)}. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param ranks the ranks that read the file together
   * @param options the options with which each epoch is opened
   * @return the follower, whose file is open at the newest epoch
   * @throws io.skerry.parallel.CollectiveException on all ranks if the file does not exist, cannot
   *     be read, is not an HDF5 file, is damaged, uses an unsupported feature, is open for writing
   *     without {@link FileOptions#live}, or was changed by another program since its newest epoch,
   *     or the ranks pass different paths or options
   * @throws java.io.UncheckedIOException if the file at the path of the live file is not regular,
   *     has a second hard link, or belongs to another user in a folder that several users share
   * @throws io.skerry.mpi.MpiException if the live file cannot be read
   */
  static Follower follow(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().follow(path, ranks, options);
  }

  /**
   * A file that is read while another program writes it. The file is open at one epoch, the state
   * between two flushes; reads return the content of exactly that epoch, even if later flushes have
   * replaced it. If the writer no longer keeps the epoch, a collective method throws a {@link
   * io.skerry.parallel.CollectiveException} with an {@link
   * io.skerry.parallel.EpochExpiredException} as its cause, and a local method throws the latter;
   * {@link #refresh} then continues with the newest epoch. Sources of virtual datasets and targets
   * of external links are other files, which are opened in the usual way.
   */
  interface Follower extends AutoCloseable {
    /**
     * Returns the file, open for reading at the current epoch. A move to another epoch closes it.
     * Local, thread-safe.
     *
     * @return the file
     * @throws IllegalStateException if the follower is closed, or the writer has not flushed a new
     *     file yet
     */
    H5File file();

    /**
     * Returns the number of the current epoch. The numbers increase while one program writes the
     * file; those of another writer may begin anew. Local, thread-safe; does not fail.
     *
     * @return the number; 0 if no writer has published an epoch
     */
    long epoch();

    /**
     * Returns whether a program was writing the file at the last call of {@link #refresh} or {@link
     * #awaitNext}. A program that was killed counts as writing until the file is opened for writing
     * again. Local, thread-safe; does not fail.
     *
     * @return true if further epochs may follow
     */
    boolean isWritten();

    /**
     * Moves to the newest epoch. Collective.
     *
     * @return true if the file is open at another epoch now
     * @throws io.skerry.parallel.CollectiveException on all ranks in the same cases as {@link
     *     #follow(Path, Communicator, FileOptions)}; the file then stays open at its epoch
     * @throws java.io.UncheckedIOException if the file at the path of the live file must not be
     *     used
     * @throws io.skerry.mpi.MpiException if the live file cannot be read
     * @throws IllegalStateException if the follower is closed
     */
    boolean refresh();

    /**
     * Waits for an epoch that is newer than the current one, and moves to the newest epoch.
     * Collective; rank 0 determines the time.
     *
     * @param limit the maximum time to wait
     * @return true if the file is open at another epoch now; false if the time has elapsed, the
     *     writer has closed the file, or the waiting thread is interrupted
     * @throws io.skerry.parallel.CollectiveException on all ranks in the same cases as {@link
     *     #follow(Path, Communicator, FileOptions)}; the file then stays open at its epoch
     * @throws java.io.UncheckedIOException if the file at the path of the live file must not be
     *     used
     * @throws io.skerry.mpi.MpiException if the live file cannot be read
     * @throws IllegalStateException if the follower is closed
     */
    boolean awaitNext(Duration limit);

    /**
     * Closes the file and stops following it. A second call does nothing. Collective.
     *
     * @throws io.skerry.parallel.CollectiveException on all ranks if a rank cannot close the file
     */
    @Override
    void close();
  }

  /**
   * Opens a file for reading and writing on all ranks. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param ranks the ranks that open the file together
   * @return the file, open for reading and writing
   * @throws io.skerry.parallel.CollectiveException on all ranks if the file does not exist, cannot
   *     be locked or written, is not an HDF5 file, is damaged, uses a feature that Skerry does not
   *     support for writing, is already open for writing, in this process or another, or contains
   *     an interrupted flush that cannot be completed or discarded, or the ranks pass different
   *     paths
   */
  static H5File openForWriting(Path path, Communicator ranks) {
    return openForWriting(path, ranks, FileOptions.standard());
  }

  /**
   * Opens the file at a location, which may name another store, as in {@code iod:run}. Collective.
   *
   * @param location the location, equal on all ranks; {@link io.skerry.spi.Connectors#open(String,
   *     FileAccess, Communicator, FileOptions)} states its form, and accepts other modes and
   *     options
   * @param ranks the ranks that open the file together
   * @return the file, open for reading and writing
   * @throws io.skerry.parallel.CollectiveException on all ranks in the same cases as {@link
   *     #openForWriting(Path, Communicator)}, or if the store of the location fails, or the
   *     location of a container names a version or a snapshot
   * @throws IllegalArgumentException on this rank, before any collective call, if no store has the
   *     scheme of the location
   * @throws java.nio.file.InvalidPathException on this rank, before any collective call, if the
   *     path of the location is invalid
   */
  static H5File openForWriting(String location, Communicator ranks) {
    return InstalledProvider.get().open(location, FileAccess.WRITE, ranks, FileOptions.standard());
  }

  /**
   * Opens a file for reading and writing on all ranks, with options. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param ranks the ranks that open the file together
   * @param options the options; {@link FileOptions} states which of them must be equal on all ranks
   * @return the file, open for reading and writing
   * @throws io.skerry.parallel.CollectiveException on all ranks if the file does not exist, cannot
   *     be locked or written, is not an HDF5 file, is damaged, uses a feature that Skerry does not
   *     support for writing, is already open for writing, in this process or another, or contains
   *     an interrupted flush that cannot be completed or discarded, or the ranks pass different
   *     paths or options
   */
  static H5File openForWriting(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.WRITE, ranks, options);
  }

  /**
   * Returns the path with which the file was opened. Local, thread-safe; does not fail.
   *
   * @return the path of the file
   */
  Path path();

  /**
   * Returns the size of the file. Local, thread-safe.
   *
   * @return the current size in bytes, which need not include unflushed changes
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.mpi.MpiException if the size cannot be read
   */
  long size();

  /**
   * Returns the root group. Local, thread-safe; does not fail.
   *
   * @return the group at the path {@code /}
   */
  Group root();

  /**
   * Opens the object at a path, following soft and external links. Collective.
   *
   * @param path the path of the object, equal on all ranks
   * @return the object: a {@link Group}, {@link Dataset}, {@link NamedDatatype} or {@link
   *     MapObject}
   * @throws NoSuchObjectException on all ranks if there is no object, a file that an external link
   *     names does not exist, or the path leads through more than 64 soft and external links
   * @throws io.skerry.parallel.CollectiveException on all ranks if the metadata is damaged, a
   *     feature is not supported, the {@linkplain io.skerry.parallel.Trust policy} refuses another
   *     file, a source of a virtual dataset cannot be opened, the path leads through an external
   *     link of a file that is being created, or the ranks pass different paths
   * @throws IllegalStateException if the file is closed
   */
  H5Object object(String path);

  /**
   * Opens the group at a path, following soft and external links. Collective.
   *
   * @param path the path of the group, equal on all ranks
   * @return the group
   * @throws NoSuchObjectException on all ranks if there is no object, as in {@link #object}, or the
   *     object is not a group
   * @throws io.skerry.parallel.CollectiveException on all ranks if the object cannot be opened, as
   *     in {@link #object}
   * @throws IllegalStateException if the file is closed
   */
  Group group(String path);

  /**
   * Opens the dataset at a path, following soft and external links. Collective.
   *
   * @param path the path of the dataset, equal on all ranks
   * @return the dataset
   * @throws NoSuchObjectException on all ranks if there is no object, as in {@link #object}, or the
   *     object is not a dataset
   * @throws io.skerry.parallel.CollectiveException on all ranks if the object cannot be opened, as
   *     in {@link #object}
   * @throws IllegalStateException if the file is closed
   */
  Dataset dataset(String path);

  /**
   * Opens the map at a path, following soft and external links. Collective.
   *
   * @param path the path of the map, equal on all ranks
   * @return the map
   * @throws NoSuchObjectException on all ranks if there is no object, as in {@link #object}, or the
   *     object is not a map
   * @throws io.skerry.parallel.CollectiveException on all ranks if the object cannot be opened, as
   *     in {@link #object}
   * @throws IllegalStateException if the file is closed
   */
  MapObject map(String path);

  /**
   * Creates a group and any missing groups above it, or returns the group if it exists already.
   * Collective.
   *
   * @param path the path of the group, equal on all ranks
   * @return the group
   * @throws io.skerry.parallel.CollectiveException on all ranks if an object on the path is not a
   *     group, a soft link on the path leads to no object, the path leads through an external link,
   *     or the ranks pass different paths
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  Group createGroup(String path);

  /**
   * Creates a group and any missing groups above it. The name must not be taken. Collective.
   *
   * @param path the path of the group, equal on all ranks
   * @param order the creation-order tracking for the links in the group, equal on all ranks
   * @return the group
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, the path
   *     leads through an external link, or the ranks pass different arguments
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  Group createGroup(String path, LinkOrder order);

  /**
   * Creates a group and any missing groups above it. The name must not be taken. Collective.
   *
   * @param path the path of the group, equal on all ranks
   * @param order the creation-order tracking for the links in the group, equal on all ranks
   * @param attributes the creation-order tracking for the attributes of the group, equal on all
   *     ranks
   * @return the group
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, the path
   *     leads through an external link, or the ranks pass different arguments
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  Group createGroup(String path, LinkOrder order, AttributeOrder attributes);

  /**
   * Commits a datatype at a path, so that datasets and attributes can share it. Collective.
   *
   * @param path the path of the named datatype, equal on all ranks
   * @param type the datatype, equal on all ranks
   * @return the named datatype
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, the path
   *     leads through an external link, the connector of the file cannot store the datatype, or the
   *     ranks pass different arguments
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  NamedDatatype createDatatype(String path, Datatype type);

  /**
   * Adds a hard link to an object of this file. Collective.
   *
   * @param path the path of the new link, equal on all ranks
   * @param targetPath the path of the object, which leads through hard links only, equal on all
   *     ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, the target
   *     does not exist, its path leads through a soft link, a path leads through an external link,
   *     or the ranks pass different paths
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void createHardLink(String path, String targetPath);

  /**
   * Removes a link. An object is deleted with its last hard link, and so are objects below it that
   * have no other hard link; a named datatype remains as long as datasets or attributes share it.
   * Their space can be reused after the next flush; deleted objects must no longer be used.
   * Collective.
   *
   * @param path the path of the link, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such link, the path
   *     leads through another soft or external link, the metadata of a deleted object are damaged
   *     or use an unsupported feature, or the ranks pass different paths
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void unlink(String path);

  /**
   * Moves a link to another path; missing groups above the new path are created. Collective.
   *
   * @param from the path of the link, equal on all ranks
   * @param to the new path of the link, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the new name is taken, there is
   *     no such link, the old path leads through another soft link, a path leads through another
   *     external link, the new path equals the old one or is below it, or the ranks pass different
   *     paths
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void move(String from, String to);

  /**
   * Copies an object of this file, and all objects below it, into the same or another file that is
   * open on the same ranks. Flushes this file first if it is open for writing. An object with
   * several links is copied once. Chunks are copied as stored where that is possible. {@link
   * ObjectCopier} has more options. Collective.
   *
   * @param from the path of the object, equal on all ranks, which may lead through links of any
   *     kind
   * @param target the file that receives the copy, open for writing
   * @param to the path of the copy, equal on all ranks; missing groups above it are created
   * @param options the options, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush fails before its
   *     commit, the name is taken, the object does not exist or cannot be read, disk space is
   *     insufficient, or the ranks pass different arguments. In this case, no link to the copy
   *     exists.
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws io.skerry.exception.UnsupportedFeatureException if the files belong to different
   *     connectors and an option is not supported between them, or an object cannot be stored by
   *     the connector of the target; this exception may also be the cause of a {@code
   *     CollectiveException}
   * @throws IllegalArgumentException if the target was not opened by {@link H5File} or {@link
   *     io.skerry.spi.Connectors}
   * @throws IllegalStateException if a file is closed, or the target is open for reading only
   */
  void copy(String from, H5File target, String to, CopyOption... options);

  /**
   * Copies an object into a group, like {@link #copy(String, H5File, String, CopyOption...)}.
   * Collective.
   *
   * @param from the path of the object, equal on all ranks, which may lead through links of any
   *     kind
   * @param target the group that receives the copy, in a file open for writing
   * @param name the name of the copy in the group, equal on all ranks
   * @param options the options, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush of this file fails
   *     before its commit, the name is taken, the object does not exist or cannot be read, disk
   *     space is insufficient, or the ranks pass different arguments. In this case, no link to the
   *     copy exists.
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws io.skerry.exception.UnsupportedFeatureException if the files belong to different
   *     connectors and an option is not supported between them, or an object cannot be stored by
   *     the connector of the target; this exception may also be the cause of a {@code
   *     CollectiveException}
   * @throws IllegalArgumentException if the target was not opened by {@link H5File} or {@link
   *     io.skerry.spi.Connectors}
   * @throws IllegalStateException if a file is closed, or the target is open for reading only
   */
  void copy(String from, Group target, String name, CopyOption... options);

  /**
   * Creates a dataset and any missing groups above it. Collective.
   *
   * @param path the path of the dataset, equal on all ranks
   * @param spec the specification, equal on all ranks
   * @return the dataset
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, the path
   *     leads through an external link, the extent has more than 2^63 - 1 elements, a chunk is
   *     larger than a limited maximum extent in a dimension that has elements, the last chunk of a
   *     dimension ends after 2^63 - 1 elements, the {@linkplain FileOptions#bounds format version
   *     bounds} exclude the storage, a filter cannot be applied to the chunks, the committed
   *     datatype of the specification is not at its path in this file, the chunk index does not fit
   *     into memory, the mappings of a virtual dataset cannot be written, the file is a container
   *     and the dataset is virtual or has a datatype or a fill value that containers cannot store,
   *     or the ranks pass different arguments; if only the {@linkplain DatasetSpec.Allocation#EARLY
   *     early allocation} fails, the dataset exists
   * @throws io.skerry.parallel.CommitException on all ranks if space is allocated early and the
   *     commit of a flush fails; the dataset exists
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  Dataset createDataset(String path, DatasetSpec spec);

  /**
   * Creates a map without pairs and any missing groups above it. Collective.
   *
   * @param path the path of the map, equal on all ranks
   * @param key the datatype of the keys, equal on all ranks: without references; a variable-length
   *     type must not be a part of another type
   * @param value the datatype of the values, equal on all ranks: without region references, and
   *     without a variable-length type as a part of another variable-length type
   * @return the map
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, or the ranks
   *     pass different arguments; also, with an {@link
   *     io.skerry.exception.UnsupportedFeatureException} as its cause, if the file is an HDF5 file,
   *     which cannot store maps, or a datatype is not supported
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  MapObject createMap(String path, Datatype key, Datatype value);

  /**
   * Creates a link to an object in another file; the target need not exist. Collective.
   *
   * @param path the path of the link, equal on all ranks
   * @param targetFile the name of the other file, equal on all ranks: an absolute path, or one
   *     relative to the folder of this file
   * @param targetPath the path of the object in the other file, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, the path
   *     leads through an external link, the file is a container, which cannot store external links,
   *     or the ranks pass different arguments
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void createExternalLink(String path, String targetFile, String targetPath);

  /**
   * Creates a link to a path in this file; the target need not exist. Collective.
   *
   * @param path the path of the link, equal on all ranks
   * @param targetPath the path to which the link leads, absolute or relative to the group of the
   *     link, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, the path
   *     leads through an external link, or the ranks pass different arguments
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void createSoftLink(String path, String targetPath);

  /**
   * Returns a reference to an object of this file, to be stored as a value. Local, thread-safe.
   *
   * @param path the path of the object, which leads through hard links only
   * @return the reference, with the identifier of the object; in an HDF5 file, the address of its
   *     header in bytes from the base address
   * @throws NoSuchObjectException if there is no object
   * @throws io.skerry.exception.UnsupportedFeatureException if the path leads through a link that
   *     is not a hard link
   * @throws io.skerry.exception.FormatException if a group on the path is damaged
   * @throws IllegalStateException if the file is closed
   */
  Value.ObjectReference reference(String path);

  /**
   * Returns a reference to elements of a dataset of this file, to be stored as a value. Local,
   * thread-safe.
   *
   * @param path the path of the dataset, which leads through hard links only
   * @param region the elements; not checked against the extent
   * @return the reference, with the identifier of the dataset, as in {@link #reference(String)}
   * @throws NoSuchObjectException if there is no object
   * @throws io.skerry.exception.UnsupportedFeatureException if the path leads through a link that
   *     is not a hard link
   * @throws io.skerry.exception.FormatException if a group on the path is damaged
   * @throws IllegalStateException if the file is closed
   */
  Value.RegionReference reference(String path, Selection region);

  /**
   * Returns the options of the chunk cache of this rank, as set by {@link FileOptions#withCache} or
   * {@link #resizeCache}. {@link #cacheStatistics} reports the limits to which the cache has grown.
   * Local, thread-safe; does not fail.
   *
   * @return the options, with limits in bytes
   */
  CacheOptions cacheOptions();

  /**
   * Returns the counters of the chunk cache of this rank since the file was opened, and the current
   * contents and limits of the cache. Does not block other threads, and works even after the file
   * is closed. Every file has its own cache, including the target of an external link and the
   * source of a virtual dataset. Local, thread-safe; does not fail.
   *
   * <p>A low {@linkplain CacheStatistics#hitRatio() hit ratio} alone does not indicate a problem:
   * whole chunks that are read once produce no hits. If {@code loads} exceeds the number of chunks
   * that were accessed, chunks were loaded more than once; {@code quiescent} then shows whether the
   * cache has grown to {@link CacheOptions#most()}, which {@link #resizeCache} can raise.
   *
   * @return the statistics; zeros if the connector has no chunk cache
   */
  CacheStatistics cacheStatistics();

  /**
   * Changes the limits of the chunk cache of this rank while it is in use. Chunks that exceed the
   * limits are evicted at once; dirty chunks are stored first. Waits while a flush or another
   * thread stores chunks. Local, thread-safe.
   *
   * <pre>{@code
   * file.resizeCache(file.cacheOptions().withFixedSize(512 << 20));
   * }</pre>
   *
   * @param options the new limits, in bytes
   * @throws IllegalArgumentException if the eviction policy differs from the one with which the
   *     file was opened
   * @throws IllegalStateException if the file is closed, or a commit of the file has failed
   * @throws RuntimeException if a dirty chunk cannot be encoded or written; in this case, the new
   *     limits are in force, and the chunk remains in memory
   * @throws io.skerry.cache.RequestInterruptedException if the thread is interrupted while it
   *     waits; in this case, the limits are unchanged
   */
  void resizeCache(CacheOptions options);

  /**
   * Returns the report on the last write, erasure, read or flush of this rank: rounds, bytes sent
   * to other ranks, bytes allocated, the reasons why chunks were transferred without their owners,
   * and whether the operation flushed first. With several ranks, a change to an extent is also
   * reported if it changes chunks; of the operations on datasets without chunks, only writes to
   * contiguous datasets and reads of virtual datasets are reported. If only one rank has the file
   * open, only writes to contiguous datasets and flushes are reported. Writes of encoded chunks are
   * never reported. Local, thread-safe; does not fail.
   *
   * @return the report; empty if the connector does not collect reports
   */
  Optional<TransferReport> lastTransfer();

  /**
   * Writes to several datasets in one step: the pieces of all chunks are planned, exchanged and
   * merged together. All ranks pass the same datasets in the same order, with {@link
   * DatasetWrite#nothing} for a dataset to which a rank does not write. A dataset may occur several
   * times: later values of a rank then replace its earlier ones. If several ranks write an element,
   * the value of the highest rank is stored. Collective.
   *
   * <p>The following datasets are written afterwards, one by one, in the order of the list: those
   * without chunks, those with references, and those with variable-length values in the global
   * heap. If one of these occurs several times, values at a later position replace those at earlier
   * positions, even those of higher ranks. For these datasets, all ranks pass the same kind of
   * content: elements in memory, or a list of values. If a write fails, the writes before it have
   * succeeded, and the writes after it have not begun; {@link Dataset#write(Selection,
   * io.skerry.datatype.Datatype, java.lang.foreign.MemorySegment)} states what the failed write may
   * have changed. In a container, all datasets are written in this way.
   *
   * @param writes the values of this rank for each dataset; nothing is written if the list is empty
   * @throws io.skerry.parallel.CollectiveException on all ranks if the write fails on any rank, as
   *     in {@link Dataset#write(Selection, io.skerry.datatype.Datatype,
   *     java.lang.foreign.MemorySegment)} or {@link Dataset#writeValues}, or the ranks pass
   *     different datasets, or a dataset belongs to another file
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws io.skerry.exception.UnsupportedFeatureException if the elements of a dataset are in
   *     external files; the datasets that were written before it have changed
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void writeAll(List<DatasetWrite> writes);

  /**
   * Returns the numbered transactions and the versions of the file. Only a file in a container has
   * them. Collective.
   *
   * @return the transactions
   * @throws io.skerry.parallel.CollectiveException on all ranks if the file is an HDF5 file, with
   *     an {@link io.skerry.exception.UnsupportedFeatureException} as its cause
   * @throws IllegalStateException if the file is closed
   */
  Transactions transactions();

  /**
   * Opens a version of this file for reading. The version does not change while this file is
   * written. The version is kept until the returned file is closed. If a single rank has the file
   * open, other threads may read the version while one writes. Once this file is closed, reads of
   * the version fail. Collective.
   *
   * @param version the version, equal on all ranks
   * @return the version as a file, open for reading; its methods are collective or local, like
   *     those of this file
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such version, with a
   *     message that lists the readable versions, or if the storage fails; also if the file is an
   *     HDF5 file, with an {@link io.skerry.exception.UnsupportedFeatureException} as its cause
   * @throws IllegalStateException if this file is closed
   */
  H5File openVersion(Transactions.Version version);

  /**
   * Stores all written data and metadata; they are durable when this method returns. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if a rank fails before the commit;
   *     in this case, the file holds the state of the previous flush, and the flush may be repeated
   * @throws io.skerry.parallel.CommitException on all ranks if the commit fails; the flush is
   *     completed or discarded when the file is next opened
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void flush();

  /**
   * Flushes and closes the file, and files opened through its external links. A second call does
   * nothing. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush fails before its
   *     commit, so that unflushed changes are lost, if the ranks call different operations, or if
   *     the storage of a container cannot be closed; the file is closed nevertheless, unless
   *     another rank has called an operation on another file
   * @throws io.skerry.parallel.CommitException on all ranks if the commit fails, or an earlier
   *     change to a container could neither be completed nor undone; the file is closed, and the
   *     flush is completed or discarded when the file is next opened
   * @throws IllegalStateException if the file is open on several ranks and the calling thread did
   *     not open it
   * @throws io.skerry.cache.RequestInterruptedException if only one rank has the file open and the
   *     thread is interrupted while the flush waits for other threads; the file is closed, and
   *     unflushed changes are lost
   */
  @Override
  void close();

  /**
   * Closes the file, and files opened through its external links, without a flush: unflushed
   * changes are lost. A second call does nothing. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the ranks call different
   *     operations, or the storage of a container cannot be closed; the file is closed
   *     nevertheless, unless another rank has called an operation on another file
   * @throws IllegalStateException if the file is open on several ranks and the calling thread did
   *     not open it
   */
  void discard();

  /**
   * Returns access to the variable-length values and the objects to which elements of this file
   * refer, for {@link Attribute#values}. Local, thread-safe; does not fail.
   *
   * @return the access; after the file is closed, its methods that read the file throw {@link
   *     IllegalStateException}
   */
  Contents contents();
}
