package io.skerry;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.type.Datatype;
import io.skerry.collective.CollectiveFile.Access;
import io.skerry.collective.FileOptions;
import io.skerry.collective.TransferReport;
import io.skerry.connector.Connector;
import io.skerry.connector.StoredFile;
import io.skerry.mpi.Communicator;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A file, open on all ranks of a communicator. Leave the communicator out and it is a one-process
 * program. It is an HDF5 file unless a {@link Connector} is given that stores the same objects in
 * another way.
 *
 * <p>Chunks that were read or written stay in memory, in a cache of the file that grows with what
 * is used: nobody has to set it, see {@link CacheOptions} for who wants to.
 *
 * <p>Unless a method says that it is local, it is collective: all ranks call it, in the same order,
 * from the thread that opened the file. A failure on one rank is a {@link
 * io.skerry.collective.CollectiveException} on all; a call from another thread is an {@link
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
public final class H5File implements AutoCloseable {
  private static final Connector FILES = new NativeConnector();

  private final StoredFile stored;

  private H5File(StoredFile stored) {
    this.stored = stored;
  }

  /**
   * Creates a file for this process. An existing file of that name is replaced, and its content
   * lost, as with h5py's mode {@code w}; {@link #createNew(Path)} refuses that.
   */
  public static H5File create(Path path) {
    return create(path, Communicator.self());
  }

  /** As {@link #create(Path)}, on all ranks. Collective. */
  public static H5File create(Path path, Communicator ranks) {
    return create(path, ranks, FileOptions.standard());
  }

  /**
   * As {@link #create(Path)}, on all ranks, with limits of memory and threads, and of a form that
   * suits its readers. A replaced file keeps its permissions, a new one has those that the umask
   * leaves. Collective.
   *
   * @throws io.skerry.collective.CollectiveException on all ranks if the path is that of a folder,
   *     a device or a FIFO, or if another program has the file open for writing
   */
  public static H5File create(Path path, Communicator ranks, FileOptions options) {
    return create(FILES, path, ranks, options);
  }

  /** As {@link #create(Path, Communicator, FileOptions)}, stored by a connector. Collective. */
  public static H5File create(
      Connector connector, Path path, Communicator ranks, FileOptions options) {
    return new H5File(connector.open(path, Access.CREATE, ranks, options));
  }

  /**
   * Creates a file for this process, or fails if the name is taken, as with h5py's mode {@code x}.
   */
  public static H5File createNew(Path path) {
    return createNew(path, Communicator.self());
  }

  /** As {@link #createNew(Path)}, on all ranks. Collective. */
  public static H5File createNew(Path path, Communicator ranks) {
    return createNew(path, ranks, FileOptions.standard());
  }

  /**
   * Creates a file, or fails if the name is taken, be it by a symbolic link that leads nowhere.
   * Rank 0 creates it in one step: of several programs that create the same file at once one
   * succeeds. Collective.
   *
   * @throws io.skerry.collective.CollectiveException on all ranks if the name is taken; what has it
   *     stays as it is
   */
  public static H5File createNew(Path path, Communicator ranks, FileOptions options) {
    return createNew(FILES, path, ranks, options);
  }

  /** As {@link #createNew(Path, Communicator, FileOptions)}, stored by a connector. Collective. */
  public static H5File createNew(
      Connector connector, Path path, Communicator ranks, FileOptions options) {
    return new H5File(connector.open(path, Access.CREATE_NEW, ranks, options));
  }

  /** Opens a file for reading in this process. */
  public static H5File open(Path path) {
    return open(path, Communicator.self());
  }

  /** Opens a file for reading. */
  public static H5File open(Path path, Communicator ranks) {
    return open(path, ranks, FileOptions.standard());
  }

  /** Opens a file for reading, with limits of memory and threads. */
  public static H5File open(Path path, Communicator ranks, FileOptions options) {
    return open(FILES, path, ranks, options);
  }

  /** Opens a file that a connector stores, for reading. */
  public static H5File open(
      Connector connector, Path path, Communicator ranks, FileOptions options) {
    return new H5File(connector.open(path, Access.READ, ranks, options));
  }

  /** Opens a file for reading and changing. */
  public static H5File openForWriting(Path path, Communicator ranks) {
    return openForWriting(path, ranks, FileOptions.standard());
  }

  /** Opens a file for reading and changing, with limits of memory and threads. */
  public static H5File openForWriting(Path path, Communicator ranks, FileOptions options) {
    return openForWriting(FILES, path, ranks, options);
  }

  /** Opens a file that a connector stores, for reading and changing. */
  public static H5File openForWriting(
      Connector connector, Path path, Communicator ranks, FileOptions options) {
    return new H5File(connector.open(path, Access.WRITE, ranks, options));
  }

  /** The file's name. Local. */
  public Path path() {
    return stored.path();
  }

  /** Bytes in the file. Local. */
  public long size() {
    return stored.size();
  }

  /** The root group. */
  public Group root() {
    return new Group(this, stored.root());
  }

  /**
   * The object at a path, following soft and external links.
   *
   * @throws NoSuchObjectException on all ranks if there is none
   */
  public H5Object object(String path) {
    return H5Object.of(this, stored.object(path));
  }

  /** The group at a path. */
  public Group group(String path) {
    if (object(path) instanceof Group group) {
      return group;
    }
    throw new NoSuchObjectException("not a group", path, path().toString());
  }

  /** The dataset at a path. */
  public Dataset dataset(String path) {
    if (object(path) instanceof Dataset dataset) {
      return dataset;
    }
    throw new NoSuchObjectException("not a dataset", path, path().toString());
  }

  /** Creates a group, and the groups above it that do not exist. */
  public Group createGroup(String path) {
    return new Group(this, stored.createGroup(path));
  }

  /**
   * Creates a group that keeps the order of its links, or not, and the groups above it that do not
   * exist.
   *
   * @throws io.skerry.collective.CollectiveException if the name is taken
   */
  public Group createGroup(String path, LinkOrder order) {
    return createGroup(path, order, AttributeOrder.UNTRACKED);
  }

  /**
   * Creates a group that keeps the order of its links and of its attributes, or not, and the groups
   * above it that do not exist.
   *
   * @throws io.skerry.collective.CollectiveException if the name is taken
   */
  public Group createGroup(String path, LinkOrder order, AttributeOrder attributes) {
    return new Group(this, stored.createGroup(path, order, attributes));
  }

  /** Commits a datatype under a name, for datasets and attributes to share. */
  public NamedDatatype createDatatype(String path, Datatype type) {
    return new NamedDatatype(this, stored.createDatatype(path, type));
  }

  /** Gives an object of this file one more name, as good as the first. */
  public void createHardLink(String path, String targetPath) {
    stored.createHardLink(path, targetPath);
  }

  /**
   * Removes a link. An object goes with its last hard link, and what nothing else holds below it;
   * its space is used again after the next flush. What was opened of it must not be used any more.
   */
  public void unlink(String path) {
    stored.unlink(path);
  }

  /** Gives a link another name or another group; missing groups above are created. */
  public void move(String from, String to) {
    stored.move(from, to);
  }

  /**
   * Copies an object of this file, and all that is below it, into the same or another file that is
   * open on the same ranks. Objects that several links lead to are copied once, circles included.
   * Elements are copied as they are stored where that is possible. See {@link ObjectCopier} for
   * more.
   *
   * @param from path of the object, through links of any kind
   * @param to path of the copy; missing groups above are created
   * @throws io.skerry.collective.CollectiveException if the name is taken, or something cannot be
   *     read; then nothing leads to what was copied
   */
  public void copy(String from, H5File target, String to, CopyOption... options) {
    ObjectCopier.between(this, target, options).copy(from, to);
  }

  /**
   * As {@link #copy(String, H5File, String, CopyOption...)}, into a group.
   *
   * @param name of the copy
   */
  public void copy(String from, Group target, String name, CopyOption... options) {
    copy(from, target.file(), target.childPath(name), options);
  }

  /** Creates a dataset, and the groups above it that do not exist. */
  public Dataset createDataset(String path, DatasetSpec spec) {
    return new Dataset(this, stored.createDataset(path, spec));
  }

  /** Creates a link to an object of another file; the target need not exist yet. */
  public void createExternalLink(String path, String targetFile, String targetPath) {
    stored.createExternalLink(path, targetFile, targetPath);
  }

  /** Creates a link to a path of this file; the target need not exist yet. */
  public void createSoftLink(String path, String targetPath) {
    stored.createSoftLink(path, targetPath);
  }

  /** A reference to an object of this file, to be stored as a value. Local. */
  public Value.ObjectReference reference(String path) {
    return stored.reference(path);
  }

  /** A reference to elements of a dataset of this file, to be stored as a value. Local. */
  public Value.RegionReference reference(String path, Selection region) {
    return stored.reference(path, region);
  }

  /**
   * How much memory the chunks of this file may take on this rank, as it was asked for: what was
   * given by {@link FileOptions#withCache} or {@link #resizeCache}. How much it is just now, when
   * the cache has grown by itself, {@link #cacheStatistics} says. Local, for any thread.
   */
  public CacheOptions cacheOptions() {
    return stored.cacheOptions();
  }

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
  public CacheStatistics cacheStatistics() {
    return stored.cacheStatistics();
  }

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
  public void resizeCache(CacheOptions options) {
    stored.resizeCache(options);
  }

  /**
   * What the last write, erasure, read or flush did on this rank: rounds, bytes that went to other
   * ranks, places in the file, and in which ways it did without owners. A rank that is alone with
   * its file has no one to agree with, and is told of its flushes only. Local.
   *
   * @return nothing if what stores the file does not count
   */
  public Optional<TransferReport> lastTransfer() {
    return stored.lastTransfer();
  }

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
   * @throws io.skerry.collective.CollectiveException on all ranks, if one of them failed or the
   *     ranks name different datasets
   * @throws IllegalArgumentException if a dataset is one of another file
   */
  public void writeAll(List<DatasetWrite> writes) {
    for (DatasetWrite write : writes) {
      if (!write.dataset().file().equals(this)) {
        throw new IllegalArgumentException(
            "a dataset of another file: dataset="
                + write.dataset().path()
                + " its file="
                + write.dataset().file().path()
                + " this file="
                + path());
      }
    }
    stored.writeAll(writes.stream().map(write -> write.dataset().stored(write)).toList());
  }

  /** Stores everything written so far; durable when it returns. */
  public void flush() {
    stored.flush();
  }

  /** Stores everything and closes the file, and files opened through external links. */
  @Override
  public void close() {
    stored.close();
  }

  /** Closes the file without storing what was not flushed. */
  public void discard() {
    stored.discard();
  }

  /**
   * What variable-length elements and references of this file lead to, for a {@link
   * io.skerry.value.ValueReader}. Local.
   */
  public Contents contents() {
    return stored.contents();
  }

  /**
   * This file without its facade.
   *
   * @throws UnsupportedFeatureException if a connector keeps it that is not the one for HDF5 files
   */
  NativeFile hdf5() {
    if (stored instanceof NativeFile file) {
      return file;
    }
    throw new UnsupportedFeatureException(
        "copying objects of a file of this connector", path().toString());
  }

  /** This file, or the one behind an external link that an object was found in. */
  H5File owning(StoredFile found) {
    return found.equals(stored) ? this : new H5File(found);
  }
}
