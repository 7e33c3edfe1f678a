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
 * <p>Chunks that were read or written stay in memory, in a cache of the file that grows with what
 * is used: nobody has to set it, see {@link CacheOptions} for who wants to.
 *
 * <p>Unless a method says that it is local, it is collective: all ranks call it, in the same order,
 * from the thread that opened the file. A failure on one rank is a {@link
 * io.skerry.parallel.CollectiveException} on all; a call from another thread is an {@link
 * IllegalStateException} there, and no other rank notices.
 *
 * <p>In a program of one rank any number of threads may use a file and all that was opened of it.
 * Elements of chunked datasets are read and written side by side, those of other datasets read; a
 * flush, and whatever changes objects, is done by one thread after the other. An interrupt never
 * damages anything: what a thread does when it comes is finished, or refused as a whole. Closing
 * waits for those who are reading or writing, and whoever comes later gets an {@link
 * IllegalStateException}. Local methods may be called by any thread also where there are several
 * ranks.
 */
public interface H5File extends AutoCloseable {
  /**
   * Creates a file for this process. An existing file of that name is replaced, and its content
   * lost, as with h5py's mode {@code w}; {@link #createNew(Path)} refuses that.
   */
  static H5File create(Path path) {
    return create(path, Communicator.self());
  }

  /** As {@link #create(Path)}, on all ranks. Collective. */
  static H5File create(Path path, Communicator ranks) {
    return create(path, ranks, FileOptions.standard());
  }

  /**
   * As {@link #create(Path)}, on all ranks, with limits of memory and threads, and of a form that
   * suits its readers. A replaced file keeps its permissions, a new one has those that the umask
   * leaves. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the path is that of a folder, a
   *     device or a FIFO, or if another program has the file open for writing
   */
  static H5File create(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.CREATE, ranks, options);
  }

  /**
   * Creates a file for this process, or fails if the name is taken, as with h5py's mode {@code x}.
   */
  static H5File createNew(Path path) {
    return createNew(path, Communicator.self());
  }

  /** As {@link #createNew(Path)}, on all ranks. Collective. */
  static H5File createNew(Path path, Communicator ranks) {
    return createNew(path, ranks, FileOptions.standard());
  }

  /**
   * Creates a file, or fails if the name is taken, be it by a symbolic link that leads nowhere.
   * Rank 0 creates it in one step: of several programs that create the same file at once one
   * succeeds. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken; what has it
   *     stays as it is
   */
  static H5File createNew(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.CREATE_NEW, ranks, options);
  }

  /** Opens a file for reading in this process. */
  static H5File open(Path path) {
    return open(path, Communicator.self());
  }

  /** Opens a file for reading. */
  static H5File open(Path path, Communicator ranks) {
    return open(path, ranks, FileOptions.standard());
  }

  /** Opens a file for reading, with limits of memory and threads. */
  static H5File open(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.READ, ranks, options);
  }

  /** Opens a file for reading and changing. */
  static H5File openForWriting(Path path, Communicator ranks) {
    return openForWriting(path, ranks, FileOptions.standard());
  }

  /** Opens a file for reading and changing, with limits of memory and threads. */
  static H5File openForWriting(Path path, Communicator ranks, FileOptions options) {
    return InstalledProvider.get().open(path, FileAccess.WRITE, ranks, options);
  }

  /** The file's name. Local. */
  Path path();

  /** Bytes in the file. Local. */
  long size();

  /** The root group. */
  Group root();

  /**
   * The object at a path, following soft and external links.
   *
   * @throws NoSuchObjectException on all ranks if there is none
   */
  H5Object object(String path);

  /** The group at a path. */
  Group group(String path);

  /** The dataset at a path. */
  Dataset dataset(String path);

  /** Creates a group, and the groups above it that do not exist. */
  Group createGroup(String path);

  /**
   * Creates a group that keeps the order of its links, or not, and the groups above it that do not
   * exist.
   *
   * @throws io.skerry.parallel.CollectiveException if the name is taken
   */
  Group createGroup(String path, LinkOrder order);

  /**
   * Creates a group that keeps the order of its links and of its attributes, or not, and the groups
   * above it that do not exist.
   *
   * @throws io.skerry.parallel.CollectiveException if the name is taken
   */
  Group createGroup(String path, LinkOrder order, AttributeOrder attributes);

  /** Commits a datatype under a name, for datasets and attributes to share. */
  NamedDatatype createDatatype(String path, Datatype type);

  /** Gives an object of this file one more name, as good as the first. */
  void createHardLink(String path, String targetPath);

  /**
   * Removes a link. An object goes with its last hard link, and what nothing else holds below it;
   * its space is used again after the next flush. What was opened of it must not be used any more.
   */
  void unlink(String path);

  /** Gives a link another name or another group; missing groups above are created. */
  void move(String from, String to);

  /**
   * Copies an object of this file, and all that is below it, into the same or another file that is
   * open on the same ranks. Objects that several links lead to are copied once, circles included.
   * Elements are copied as they are stored where that is possible. See {@link ObjectCopier} for
   * more.
   *
   * @param from path of the object, through links of any kind
   * @param to path of the copy; missing groups above are created
   * @throws io.skerry.parallel.CollectiveException if the name is taken, or something cannot be
   *     read; then nothing leads to what was copied
   */
  void copy(String from, H5File target, String to, CopyOption... options);

  /**
   * As {@link #copy(String, H5File, String, CopyOption...)}, into a group.
   *
   * @param name of the copy
   */
  void copy(String from, Group target, String name, CopyOption... options);

  /** Creates a dataset, and the groups above it that do not exist. */
  Dataset createDataset(String path, DatasetSpec spec);

  /** Creates a link to an object of another file; the target need not exist yet. */
  void createExternalLink(String path, String targetFile, String targetPath);

  /** Creates a link to a path of this file; the target need not exist yet. */
  void createSoftLink(String path, String targetPath);

  /** A reference to an object of this file, to be stored as a value. Local. */
  Value.ObjectReference reference(String path);

  /** A reference to elements of a dataset of this file, to be stored as a value. Local. */
  Value.RegionReference reference(String path, Selection region);

  /**
   * How much memory the chunks of this file may take on this rank, as it was asked for: what was
   * given by {@link FileOptions#withCache} or {@link #resizeCache}. How much it is just now, when
   * the cache has grown by itself, {@link #cacheStatistics} says. Local, for any thread.
   */
  CacheOptions cacheOptions();

  /**
   * What the chunk cache of this file has done on this rank since the file was opened, and what it
   * holds: while other threads work, and also when the file is closed. Local, for any thread, and
   * nobody is kept waiting. Each file has a cache of its own, those behind external links and the
   * sources of virtual datasets too.
   *
   * <p>A low {@linkplain CacheStatistics#hitRatio() hit ratio} alone is no fault: who reads whole
   * chunks once has no hits to expect. Chunks are read twice if {@code loads} is larger than the
   * number of chunks that were touched; then {@code quiescent} tells whether the cache has already
   * grown to its {@linkplain CacheOptions#most() most}, which {@link #resizeCache} can raise.
   */
  CacheStatistics cacheStatistics();

  /**
   * Gives the chunk cache of this file other limits on this rank while it is in use; what is above
   * them goes at once, after being stored if it was changed. As in
   *
   * <pre>{@code
   * file.resizeCache(file.cacheOptions().withFixedSize(512 << 20));
   * }</pre>
   *
   * <p>Local, for any thread. What was written stays to be read, whatever the limits.
   *
   * @throws IllegalArgumentException if the eviction policy is another one: it is chosen when the
   *     file is opened
   * @throws IllegalStateException if the file is closed
   */
  void resizeCache(CacheOptions options);

  /**
   * What the last write, erasure, read or flush did on this rank: rounds, bytes that went to other
   * ranks, places in the file, and in which ways it did without owners. A rank that is alone with
   * its file has no one to agree with, and is told of its flushes only. Local.
   *
   * @return nothing if what stores the file does not count
   */
  Optional<TransferReport> lastTransfer();

  /**
   * Writes to several datasets at once: what goes into chunks is planned, exchanged and merged
   * together, as if it were one write. All ranks name the same datasets in the same order; who has
   * nothing for one gives {@link DatasetWrite#nothing}. A dataset may be named several times: a
   * rank's later values win over its earlier ones, and the highest rank over the others.
   *
   * <p>A failure of one rank in what goes into chunks leaves all datasets as they were. Datasets
   * that are not chunked, and content of variable length that dense datasets keep in the global
   * heap, follow one after the other, each as its own {@link Dataset#write} would; of these all
   * ranks give the same form of content, elements in memory or a list of values.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks, if one of them failed or the ranks
   *     name different datasets
   * @throws IllegalArgumentException if a dataset is one of another file
   */
  void writeAll(List<DatasetWrite> writes);

  /** Stores everything written so far; durable when it returns. */
  void flush();

  /** Stores everything and closes the file, and files opened through external links. */
  @Override
  void close();

  /** Closes the file without storing what was not flushed. */
  void discard();

  /**
   * What variable-length elements and references of this file lead to, for a {@link
   * io.skerry.internal.value.ValueReader}. Local.
   */
  Contents contents();
}
