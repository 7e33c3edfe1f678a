package io.skerry.spi;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.LinkOrder;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.datatype.Datatype;
import io.skerry.parallel.TransferReport;
import io.skerry.selection.Selection;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A file of a connector, open on all ranks of a communicator. Unless a method says that it is
 * local, it is collective: all ranks call it, in the same order, from the thread that opened the
 * file, with the same arguments. Local methods may be called by any thread; if a single rank has
 * the file open, any thread may call all methods, those of objects of the file included.
 */
public interface StoredFile extends AutoCloseable {
  /** Path of the file. Local. */
  Path path();

  /** Size of the file in bytes. Local. */
  long size();

  /** The root group. */
  StoredGroup root();

  /**
   * The object at a path, following soft and external links.
   *
   * @throws io.skerry.NoSuchObjectException on all ranks if there is none
   */
  StoredObject object(String path);

  /** Creates a group and its missing parents; returns the group if it exists. */
  StoredGroup createGroup(String path);

  /** Creates a group, which must not exist, and its missing parents. */
  StoredGroup createGroup(String path, LinkOrder order, AttributeOrder attributes);

  /** Commits a datatype under a name. */
  StoredDatatype createDatatype(String path, Datatype type);

  /** Creates a dataset and the missing groups of its path. */
  StoredDataset createDataset(String path, DatasetSpec spec);

  /** Creates a hard link to an object of this file. */
  void createHardLink(String path, String targetPath);

  /** Creates a soft link to a path of this file; the target need not exist. */
  void createSoftLink(String path, String targetPath);

  /** Creates an external link to an object of another file; the target need not exist. */
  void createExternalLink(String path, String targetFile, String targetPath);

  /** Removes a link. An object is removed with its last hard link. */
  void unlink(String path);

  /** Renames a link or moves it to another group. */
  void move(String from, String to);

  /** A reference to an object of this file, to be stored as a value. Local. */
  Value.ObjectReference reference(String path);

  /** A reference to elements of a dataset of this file, to be stored as a value. Local. */
  Value.RegionReference reference(String path, Selection region);

  /** Resolves variable-length elements and references of attributes. Local. */
  Contents contents();

  /** Limit of the memory for chunks of this file, as requested. Local, for any thread. */
  CacheOptions cacheOptions();

  /**
   * Counters of the chunk cache, also after the file is closed. A connector without a chunk cache
   * returns zeros. Local, for any thread.
   */
  CacheStatistics cacheStatistics();

  /**
   * Changes the limit of the memory for chunks; chunks beyond a lower limit are evicted at once. A
   * connector without a chunk cache ignores it. Local, for any thread.
   *
   * @throws IllegalArgumentException if the options change the eviction policy
   * @throws IllegalStateException if the file is closed
   */
  void resizeCache(CacheOptions options);

  /**
   * Writes to several datasets, the same ones in the same order on all ranks. A connector overrides
   * this if it can combine the writes.
   */
  default void writeAll(List<StoredWrite> writes) {
    writes.forEach(StoredWrite::apply);
  }

  /** Counters of the last write, read or flush on this rank, if counting is on. Local. */
  default Optional<TransferReport> lastTransfer() {
    return Optional.empty();
  }

  /** Flushes all changes; they are durable when this method returns. */
  void flush();

  /** Flushes and closes the file, and the files that external links opened. */
  @Override
  void close();

  /** Closes the file and drops changes since the last flush. */
  void discard();
}
