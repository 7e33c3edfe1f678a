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
import java.util.List;
import java.util.Optional;

/**
 * A file, open on all ranks of a communicator. Leave the communicator out and it is a one-process
 * program. It is an HDF5 file; connectors that store the same objects in another way are opened by
 * {@link io.skerry.spi.Connectors}.
 *
 * <p>Chunks that were read or written are kept in a cache of the file, which grows with use. Its
 * defaults suit most programs; {@link CacheOptions} changes them.
 *
 * <p>Unless a method says that it is local, it is collective: all ranks call it, in the same order,
 * from the thread that opened the file. If one rank fails, all throw {@link
 * io.skerry.parallel.CollectiveException}. A call from another thread throws {@link
 * IllegalStateException} on this rank alone.
 *
 * <p>A file of one rank is thread-safe, and so are the objects opened from it. Reads and writes of
 * chunked datasets and reads of other datasets run concurrently; flushes and changes of objects run
 * one at a time. An interrupted operation is completed or refused as a whole. {@link #close} waits
 * for reads and writes in other threads; later calls throw {@link IllegalStateException}. Local
 * methods may be called by any thread, also of several ranks.
 */
public interface H5File extends AutoCloseable {
  /**
   * Creates a file for this process. An existing file of that name is replaced and its content
   * lost, as in mode {@code w} of h5py; {@link #createNew(Path)} fails instead.
   */
  static H5File create(Path path) {
    return create(path, Communicator.self());
  }

  /** Creates a file as {@link #create(Path)} on all ranks. Collective. */
  static H5File create(Path path, Communicator ranks) {
    return create(path, ranks, FileOptions.standard());
  }

  /**
   * Creates a file as {@link #create(Path)} on all ranks, with options. A replaced file keeps its
   * permissions, a new file gets those that the umask leaves. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the path is that of a folder, a
   *     device or a FIFO, or if another program has the file open for writing
   */
  static H5File create(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.CREATE, ranks, options);
  }

  /** Creates a file for this process; fails if the name is taken, as in mode {@code x} of h5py. */
  static H5File createNew(Path path) {
    return createNew(path, Communicator.self());
  }

  /** Creates a file as {@link #createNew(Path)} on all ranks. Collective. */
  static H5File createNew(Path path, Communicator ranks) {
    return createNew(path, ranks, FileOptions.standard());
  }

  /**
   * Creates a file; fails if the name is taken, also by a dangling symbolic link. Rank 0 creates it
   * in one step, so that only one of several programs that create it at once succeeds. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken; the existing
   *     file is unchanged
   */
  static H5File createNew(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.CREATE_NEW, ranks, options);
  }

  /** Opens a file for reading in this process. */
  static H5File open(Path path) {
    return open(path, Communicator.self());
  }

  /** Opens a file for reading on all ranks. Collective. */
  static H5File open(Path path, Communicator ranks) {
    return open(path, ranks, FileOptions.standard());
  }

  /**
   * Opens a file for reading on all ranks, with options. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such file, or it is
   *     no HDF5 file, or damaged
   */
  static H5File open(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.READ, ranks, options);
  }

  /** Opens a file for reading and changing on all ranks. Collective. */
  static H5File openForWriting(Path path, Communicator ranks) {
    return openForWriting(path, ranks, FileOptions.standard());
  }

  /**
   * Opens a file for reading and changing on all ranks, with options. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such file, it is no
   *     HDF5 file, damaged, or of a form that cannot be changed, or if another program has it open
   *     for writing
   */
  static H5File openForWriting(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.WRITE, ranks, options);
  }

  /** The path of the file. Local. */
  Path path();

  /** The size of the file in bytes. Local. */
  long size();

  /** The root group. Local. */
  Group root();

  /**
   * Opens the object at a path, following soft and external links. Collective.
   *
   * @throws NoSuchObjectException on all ranks if there is none
   */
  H5Object object(String path);

  /**
   * Opens the group at a path. Collective.
   *
   * @throws NoSuchObjectException on all ranks if there is no group
   */
  Group group(String path);

  /**
   * Opens the dataset at a path. Collective.
   *
   * @throws NoSuchObjectException on all ranks if there is no dataset
   */
  Dataset dataset(String path);

  /**
   * Creates a group, and missing groups above it. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken
   */
  Group createGroup(String path);

  /**
   * Creates a group, and missing groups above it. Collective.
   *
   * @param order whether the group tracks the creation order of its links
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken
   */
  Group createGroup(String path, LinkOrder order);

  /**
   * Creates a group, and missing groups above it. Collective.
   *
   * @param order whether the group tracks the creation order of its links
   * @param attributes whether it tracks the creation order of its attributes
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken
   */
  Group createGroup(String path, LinkOrder order, AttributeOrder attributes);

  /**
   * Commits a datatype under a path, for datasets and attributes to share. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken
   */
  NamedDatatype createDatatype(String path, Datatype type);

  /**
   * Adds a hard link to an object of this file. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, or the target
   *     does not exist
   */
  void createHardLink(String path, String targetPath);

  /**
   * Removes a link. An object is deleted with its last hard link, and so are objects below it that
   * have no other hard link. Their space is reused after the next flush; handles of deleted objects
   * must not be used any more. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such link
   */
  void unlink(String path);

  /**
   * Moves a link to another path; missing groups above it are created. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the new name is taken, or there
   *     is no such link
   */
  void move(String from, String to);

  /**
   * Copies an object of this file, and all objects below it, into the same or another file that is
   * open on the same ranks. An object with several links is copied once. Chunks are copied as
   * stored where that is possible. {@link ObjectCopier} has more options. Collective.
   *
   * @param from the path of the object, which may lead through links of any kind
   * @param to the path of the copy; missing groups above it are created
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, or something
   *     cannot be read; no link to the copy exists then
   */
  void copy(String from, H5File target, String to, CopyOption... options);

  /**
   * Copies an object into a group, as {@link #copy(String, H5File, String, CopyOption...)}.
   * Collective.
   *
   * @param name the name of the copy in the group
   */
  void copy(String from, Group target, String name, CopyOption... options);

  /**
   * Creates a dataset, and missing groups above it. Collective.
   *
   * @param spec equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, or the ranks
   *     pass different specifications
   */
  Dataset createDataset(String path, DatasetSpec spec);

  /** Creates a link to an object of another file; the target need not exist. Collective. */
  void createExternalLink(String path, String targetFile, String targetPath);

  /** Creates a link to a path of this file; the target need not exist. Collective. */
  void createSoftLink(String path, String targetPath);

  /**
   * Returns a reference to an object of this file, to be stored as a value. Local.
   *
   * @throws NoSuchObjectException if there is none
   */
  Value.ObjectReference reference(String path);

  /**
   * Returns a reference to elements of a dataset of this file, to be stored as a value. Local.
   *
   * @throws NoSuchObjectException if there is no such dataset
   */
  Value.RegionReference reference(String path, Selection region);

  /**
   * The options of the chunk cache of this rank, as set by {@link FileOptions#withCache} or {@link
   * #resizeCache}. {@link #cacheStatistics} reports the limits to which the cache has grown. Local,
   * thread-safe.
   */
  CacheOptions cacheOptions();

  /**
   * The counters and the contents of the chunk cache of this rank since the file was opened. Blocks
   * no other thread, and works after the file is closed. Every file has a cache of its own, also
   * the target of an external link and the source of a virtual dataset. Local, thread-safe.
   *
   * <p>A low {@linkplain CacheStatistics#hitRatio() hit ratio} alone is no fault: whole chunks that
   * are read once give no hits. Chunks are loaded more than once if {@code loads} exceeds the
   * number of chunks that were accessed; {@code quiescent} then shows whether the cache has grown
   * to {@link CacheOptions#most()}, which {@link #resizeCache} can raise.
   */
  CacheStatistics cacheStatistics();

  /**
   * Changes the limits of the chunk cache of this rank while it is in use. Chunks above the limits
   * are evicted at once, dirty chunks after they were stored:
   *
   * <pre>{@code
   * file.resizeCache(file.cacheOptions().withFixedSize(512 << 20));
   * }</pre>
   *
   * <p>Local, thread-safe.
   *
   * @throws IllegalArgumentException if the eviction policy differs from that of the opening
   * @throws IllegalStateException if the file is closed
   */
  void resizeCache(CacheOptions options);

  /**
   * The report of the last write, erasure, read or flush on this rank: rounds, bytes sent to other
   * ranks, bytes allocated, and the ways in which chunk owners were bypassed. A file of a single
   * rank reports flushes only. Local.
   *
   * @return the report; empty if the connector does not count
   */
  Optional<TransferReport> lastTransfer();

  /**
   * Writes to several datasets in one step: the pieces of all chunks are planned, exchanged and
   * merged together. All ranks pass the same datasets in the same order, {@link
   * DatasetWrite#nothing} for a dataset to which a rank does not write. A dataset may occur several
   * times: later values of a rank replace earlier ones, and those of the highest rank replace the
   * others. Collective.
   *
   * <p>If a rank fails in the part for chunks, no dataset has changed. Datasets without chunks, and
   * contents of variable length in the global heap, are written afterwards, one dataset after the
   * other; for these, all ranks pass the same kind of content, elements in memory or a list of
   * values.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if one of them fails, or the ranks
   *     pass different datasets
   * @throws IllegalArgumentException if a dataset belongs to another file
   */
  void writeAll(List<DatasetWrite> writes);

  /**
   * Stores all written data and metadata, which are durable when it returns. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if one fails before the commit; the
   *     file holds the previous flush then, and the flush may be repeated
   * @throws io.skerry.parallel.CommitException on all ranks if the commit fails; the next opening
   *     of the file completes or discards it
   */
  void flush();

  /**
   * Flushes and closes the file, and files opened through its external links. A second call does
   * nothing. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush fails; the file is
   *     closed all the same
   */
  @Override
  void close();

  /** Closes the file without a flush: unflushed changes are lost. Collective. */
  void discard();

  /**
   * The contents of variable length and the objects that elements of this file refer to, for {@link
   * Attribute#values}. Local.
   */
  Contents contents();
}
