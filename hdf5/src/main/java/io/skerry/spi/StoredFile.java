package io.skerry.spi;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.DatasetWrite;
import io.skerry.LinkOrder;
import io.skerry.Transactions;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.selection.Selection;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A file that a connector has open on all ranks of a communicator. Each method is marked as
 * collective or local. All ranks call the collective methods in the same order, from the thread
 * that opened the file, with equal arguments, except for the selections and values that they pass
 * to {@link #writeAll}. Local methods may be called by any thread, unless several ranks have a
 * container open; the package documentation states this case. If a single rank has the file open,
 * any thread may call all methods, including those of the objects of the file.
 *
 * <p>All methods of the file and its objects throw the following exceptions, unless a method states
 * otherwise. Collective methods throw {@link io.skerry.parallel.CollectiveException} on all ranks
 * if the operation fails on any rank, if the ranks call different methods, or if they pass
 * different arguments; unless the method states otherwise, nothing has changed in that case. They
 * throw {@link IllegalStateException} if the file is closed, except for {@link #close} and {@link
 * #discard}, and, with several ranks, if the calling thread is not the one that opened the file. If
 * the communication between the ranks itself fails, they throw {@link io.skerry.mpi.MpiException}.
 *
 * <p>A collective method that flushes (see {@link io.skerry.Dataset#independent}) throws {@link
 * io.skerry.parallel.CommitException} on all ranks if the commit of that flush fails. From then on,
 * all other collective methods except {@link #close} and {@link #discard} throw {@link
 * IllegalStateException}. After the file is opened again, it contains either all changes of that
 * flush or none.
 *
 * <p>Local methods that read the file throw {@link io.skerry.exception.FormatException}, {@link
 * io.skerry.exception.UnsupportedFeatureException}, {@link
 * io.skerry.exception.MemoryLimitException} or {@link io.skerry.mpi.MpiException} if they cannot
 * read or decode it. If a single rank has the file open, a method throws {@link
 * io.skerry.cache.RequestInterruptedException} if its thread is interrupted while it waits for
 * other threads.
 *
 * <p>A path that leads to a new link must have at least one name, must not lead through an external
 * link, and must lead through existing or missing groups only; otherwise the call fails with a
 * {@link io.skerry.parallel.CollectiveException}. In an HDF5 file, the call also fails if the name
 * or the target of a link contains a NUL, or if a datatype, a fill value, or a link with its name
 * and target exceeds 65,535 bytes.
 */
public interface StoredFile extends AutoCloseable {
  /**
   * The values that one rank writes to one dataset in a collective write. Immutable; values in
   * memory are not copied.
   *
   * @param dataset the dataset
   * @param selection the elements to write, within the extent
   * @param content one value for each selected element, in selection order
   */
  record Write(StoredDataset dataset, Selection selection, DatasetWrite.Content content) {
    /**
     * Writes the values. Collective.
     *
     * @throws io.skerry.parallel.CollectiveException on all ranks if the write fails on any rank,
     *     as in {@link StoredDataset#write} or {@link StoredDataset#writeValues}
     * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
     * @throws io.skerry.exception.UnsupportedFeatureException if the elements are in external files
     * @throws IllegalStateException if the file is closed or open for reading only
     */
    public void apply() {
      switch (content) {
        case DatasetWrite.Elements(var memory, var values) ->
            dataset.write(selection, memory, values);
        case DatasetWrite.Values(var values) -> dataset.writeValues(selection, values);
      }
    }
  }

  /**
   * Returns the path of the file. Local, thread-safe; does not fail.
   *
   * @return the path with which the file was opened
   */
  Path path();

  /**
   * Returns the size of the file. Local, thread-safe.
   *
   * @return the current size in bytes, which need not include unflushed changes
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.mpi.MpiException if its size cannot be read
   */
  long size();

  /**
   * Returns the root group. Local, thread-safe; does not fail.
   *
   * @return the group at the path {@code /}
   */
  StoredGroup root();

  /**
   * Opens the object at a path, following soft and external links. Collective.
   *
   * @param path the path of the object
   * @return the object
   * @throws io.skerry.NoSuchObjectException on all ranks if there is no object at the path
   * @throws io.skerry.parallel.CollectiveException on all ranks if any rank cannot open the object;
   *     {@link io.skerry.H5File#object} lists the cases
   * @throws IllegalStateException if the file is closed
   */
  StoredObject object(String path);

  /**
   * Creates a group and any missing groups above it, or returns the group if it exists already.
   * Collective.
   *
   * @param path the path of the group
   * @return the group
   * @throws io.skerry.parallel.CollectiveException on all ranks if an object on the path is not a
   *     group, a soft link on the path leads to no object, or the path leads through an external
   *     link
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  StoredGroup createGroup(String path);

  /**
   * Creates a group and any missing groups above it. The name must not be taken. Collective.
   *
   * @param path the path of the group
   * @param order the creation-order tracking for the links of the group
   * @param attributes the creation-order tracking for the attributes of the group
   * @return the group
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, or the ranks
   *     pass different arguments
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  StoredGroup createGroup(String path, LinkOrder order, AttributeOrder attributes);

  /**
   * Commits a datatype at a path. Collective.
   *
   * @param path the path of the named datatype
   * @param type the datatype
   * @return the named datatype
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  StoredDatatype createDatatype(String path, Datatype type);

  /**
   * Creates a dataset and any missing groups above it. Collective.
   *
   * @param path the path of the dataset
   * @param spec the specification
   * @return the dataset
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, or the
   *     connector cannot store such a dataset; {@link io.skerry.H5File#createDataset} lists the
   *     cases for an HDF5 file
   * @throws io.skerry.parallel.CommitException on all ranks if space is allocated early and the
   *     commit of a flush fails; the dataset exists
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  StoredDataset createDataset(String path, DatasetSpec spec);

  /**
   * Creates a map and any missing groups above it. Collective.
   *
   * @param path the path of the map
   * @param key the datatype of the keys
   * @param value the datatype of the values
   * @return the map
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, or the
   *     connector cannot store maps or maps of these types; the cause is then an {@link
   *     io.skerry.exception.UnsupportedFeatureException}
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  StoredObject.StoredMap createMap(String path, Datatype key, Datatype value);

  /**
   * Creates a hard link to an object of this file. Collective.
   *
   * @param path the path of the new link
   * @param targetPath the path of the object, which leads through hard links only
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, the target
   *     does not exist, its path leads through a soft link, or a path leads through an external
   *     link
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void createHardLink(String path, String targetPath);

  /**
   * Creates a soft link to a path in this file; the target need not exist. Collective.
   *
   * @param path the path of the link
   * @param targetPath the path to which the link leads, absolute or relative to the group of the
   *     link
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void createSoftLink(String path, String targetPath);

  /**
   * Creates an external link to an object in another file; the target need not exist. Collective.
   *
   * @param path the path of the link
   * @param targetFile the name of the other file: an absolute path, or one relative to the folder
   *     of this file
   * @param targetPath the path of the object in the other file
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void createExternalLink(String path, String targetFile, String targetPath);

  /**
   * Removes a link. An object is deleted with its last hard link; see {@link
   * io.skerry.H5File#unlink}. Collective.
   *
   * @param path the path of the link
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such link, the path
   *     leads through another soft or external link, or the metadata of a deleted object are
   *     damaged or use an unsupported feature
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void unlink(String path);

  /**
   * Renames a link, or moves it to another group; missing groups above the new path are created.
   * Collective.
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
   * Returns a reference to an object of this file, to be stored as a value. Local, thread-safe.
   *
   * @param path the path of the object, which leads through hard links only
   * @return the reference
   * @throws io.skerry.NoSuchObjectException if there is no object at the path
   * @throws io.skerry.exception.UnsupportedFeatureException if the path leads through a link that
   *     is not a hard link
   * @throws io.skerry.exception.FormatException if a group on the path is damaged
   * @throws IllegalStateException if the file is closed
   */
  Value.ObjectReference reference(String path);

  /**
   * Returns a reference to the given elements of a dataset in this file, to be stored as a value.
   * Local, thread-safe.
   *
   * @param path the path of the dataset, which leads through hard links only
   * @param region the elements; not checked against the extent
   * @return the reference
   * @throws io.skerry.NoSuchObjectException if there is no object at the path
   * @throws io.skerry.exception.UnsupportedFeatureException if the path leads through a link that
   *     is not a hard link
   * @throws io.skerry.exception.FormatException if a group on the path is damaged
   * @throws IllegalStateException if the file is closed
   */
  Value.RegionReference reference(String path, Selection region);

  /**
   * Returns access to the variable-length values and the objects to which elements and attributes
   * refer. Local, thread-safe; does not fail.
   *
   * @return the access to the values and objects of this file
   */
  Contents contents();

  /**
   * Returns this rank's options for the chunk cache, as set when the file was opened or by {@link
   * #resizeCache}. Local, thread-safe; does not fail.
   *
   * @return the options, with limits in bytes
   */
  CacheOptions cacheOptions();

  /**
   * Returns the counters of the chunk cache, even after the file is closed. Local, thread-safe;
   * does not fail.
   *
   * @return the statistics; zeros if the connector has no chunk cache
   */
  CacheStatistics cacheStatistics();

  /**
   * Changes the limits of the chunk cache; if a limit becomes lower, chunks that exceed it are
   * evicted at once. A connector without a chunk cache ignores the call. Local, thread-safe.
   *
   * @param options the new limits, in bytes
   * @throws IllegalArgumentException if the options change the eviction policy
   * @throws IllegalStateException if the file is closed, or a commit of the file has failed
   * @throws RuntimeException if a dirty chunk cannot be encoded or written; the new limits are then
   *     in force, and the chunk remains in memory
   * @throws io.skerry.cache.RequestInterruptedException if the thread is interrupted while it waits
   *     for a flush or for another thread that stores chunks; the limits are then unchanged
   */
  void resizeCache(CacheOptions options);

  /**
   * Writes to several datasets. All ranks pass the same datasets in the same order. Collective.
   *
   * <p>This implementation writes one dataset after the other. If a write fails, the datasets
   * before it in the list have changed, and the datasets after it have not. A connector overrides
   * this method if it can combine the writes. {@link io.skerry.H5File#writeAll} states which
   * datasets of an HDF5 file have changed after a failure.
   *
   * @param writes the values of this rank for each dataset; nothing is written if the list is empty
   * @throws io.skerry.parallel.CollectiveException on all ranks if a write fails on any rank, as in
   *     {@link StoredDataset#write} or {@link StoredDataset#writeValues}, or the ranks pass
   *     different datasets
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws io.skerry.exception.UnsupportedFeatureException if the elements of a dataset are in
   *     external files; the datasets that were written before it have changed
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  default void writeAll(List<Write> writes) {
    writes.forEach(Write::apply);
  }

  /**
   * Makes a collective operation fail on all ranks if this rank cannot begin it, for example
   * because an argument is null. Collective: the other ranks begin the operation. Does not fail: a
   * failure of the communication is returned as well. This implementation only returns the failure
   * of this rank, which suffices if no other rank has the file open.
   *
   * @param operation the operation that the other ranks begin
   * @param object the path of the object on which the operation is called; empty for the file
   * @param failure the failure of this rank
   * @return the exception to throw on this rank
   */
  default RuntimeException refused(Operation operation, String object, RuntimeException failure) {
    return failure;
  }

  /**
   * Returns the largest of the numbers that the ranks pass. A rank that performs many local
   * operations calls this method between batches of them, because ranks that wait in this method
   * serve the requests of other ranks. Collective. This implementation suffices if no other rank
   * has the file open.
   *
   * @param number the number that this rank passes
   * @return the largest number
   */
  default long largest(long number) {
    return number;
  }

  /**
   * Returns the report on the last write, erasure, read or flush of this rank. Local, thread-safe;
   * does not fail.
   *
   * @return the report; empty if the connector does not collect reports
   */
  default Optional<TransferReport> lastTransfer() {
    return Optional.empty();
  }

  /**
   * Returns the transactions and versions of the file; {@link Transactions} describes them. This
   * implementation always fails on all ranks. Collective.
   *
   * @return the transactions
   * @throws RuntimeException the exception that {@link #refused} returns, if the connector has no
   *     transactions
   * @throws IllegalStateException if the file is closed
   */
  default Transactions transactions() {
    throw refused(Operation.TRANSACTION, "", withoutTransactions());
  }

  /**
   * Opens a version of the file for reading; see {@link io.skerry.H5File#openVersion}. This
   * implementation always fails on all ranks. Collective.
   *
   * @param version the version, equal on all ranks
   * @return the version as a file, open for reading
   * @throws RuntimeException the exception that {@link #refused} returns, if the connector has no
   *     transactions
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such version, the
   *     ranks pass different versions, or the storage fails
   * @throws IllegalStateException if this file is closed
   */
  default StoredFile openVersion(Transactions.Version version) {
    throw refused(Operation.TRANSACTION, "", withoutTransactions());
  }

  private UnsupportedFeatureException withoutTransactions() {
    return new UnsupportedFeatureException(
        "transactions of an HDF5 file, which has none; a container has them", path().toString());
  }

  /**
   * Flushes all changes; they are durable when this method returns. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if a rank fails before the commit;
   *     in that case, the stored file is unchanged, and the flush may be repeated
   * @throws io.skerry.parallel.CommitException on all ranks if the commit fails
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void flush();

  /**
   * Flushes and closes the file, and the files that were opened through its external links. A
   * second call does nothing. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush fails before its
   *     commit or the ranks call different operations; the file is closed nevertheless, unless
   *     another rank has called an operation on another file
   * @throws io.skerry.parallel.CommitException on all ranks if the commit fails, or an earlier
   *     change of a container has failed permanently; the file is closed
   * @throws IllegalStateException if the file is open on several ranks and the calling thread did
   *     not open it
   * @throws io.skerry.cache.RequestInterruptedException if a single rank has the file open and the
   *     thread is interrupted while the flush waits for other threads; the file is closed, and
   *     unflushed changes are lost
   */
  @Override
  void close();

  /**
   * Closes the file, and the files that were opened through its external links, and discards all
   * changes since the last flush. A second call does nothing. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the ranks call different
   *     operations; the file is closed in the same cases as by {@link #close}
   * @throws IllegalStateException in the same cases as {@link #close}
   */
  void discard();
}
