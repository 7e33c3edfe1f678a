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
 * A file as a connector keeps it, open on all ranks of a communicator. Unless a method says that it
 * is local, it is collective: all ranks call it, in the same order, from the thread that opened the
 * file, with the same arguments. Local methods may be called by any thread; where one rank has the
 * file open, all methods may, also of what was opened of the file.
 */
public interface StoredFile extends AutoCloseable {
  /** The file's name. Local. */
  Path path();

  /** Bytes it takes. Local. */
  long size();

  /** The root group. */
  StoredGroup root();

  /**
   * The object at a path, following soft and external links.
   *
   * @throws io.skerry.NoSuchObjectException on all ranks if there is none
   */
  StoredObject object(String path);

  /** Creates a group, and the groups above it that do not exist; one that exists is returned. */
  StoredGroup createGroup(String path);

  /** Creates a group, and the groups above it that do not exist; it must not exist. */
  StoredGroup createGroup(String path, LinkOrder order, AttributeOrder attributes);

  /** Commits a datatype under a name. */
  StoredDatatype createDatatype(String path, Datatype type);

  /** Creates a dataset, and the groups above it that do not exist. */
  StoredDataset createDataset(String path, DatasetSpec spec);

  /** Gives an object of this file one more name. */
  void createHardLink(String path, String targetPath);

  /** Creates a link to a path of this file; the target need not exist yet. */
  void createSoftLink(String path, String targetPath);

  /** Creates a link to an object of another file; the target need not exist yet. */
  void createExternalLink(String path, String targetFile, String targetPath);

  /** Removes a link, and with its last hard link the object. */
  void unlink(String path);

  /** Gives a link another name or another group. */
  void move(String from, String to);

  /** A reference to an object of this file, to be stored as a value. Local. */
  Value.ObjectReference reference(String path);

  /** A reference to elements of a dataset of this file, to be stored as a value. Local. */
  Value.RegionReference reference(String path, Selection region);

  /** What variable-length elements and references of attributes lead to. Local. */
  Contents contents();

  /**
   * How much memory the chunks of this file may take, as it was asked for. Local, for any thread.
   */
  CacheOptions cacheOptions();

  /**
   * What was read and written by way of memory, and what is there now; also when the file is
   * closed. A connector that keeps no chunks in memory counts nothing. Local, for any thread.
   */
  CacheStatistics cacheStatistics();

  /**
   * Changes how much memory the chunks may take; what is too much is given up at once. A connector
   * that keeps no chunks in memory has nothing to do. Local, for any thread.
   *
   * @throws IllegalArgumentException if the eviction policy is another one
   * @throws IllegalStateException if the file is closed
   */
  void resizeCache(CacheOptions options);

  /**
   * Writes to several datasets, the same ones in the same order on all ranks. A connector that can
   * do so in fewer steps than one after the other overrides this.
   */
  default void writeAll(List<StoredWrite> writes) {
    writes.forEach(StoredWrite::apply);
  }

  /** What the last write, read or flush did on this rank, if it is counted. Local. */
  default Optional<TransferReport> lastTransfer() {
    return Optional.empty();
  }

  /** Stores everything written so far; durable when it returns. */
  void flush();

  /** Stores everything and closes the file, and files opened through external links. */
  @Override
  void close();

  /** Closes the file without storing what was not flushed. */
  void discard();
}
