package io.skerry.spi;

import io.skerry.ChunkTable;
import io.skerry.DatasetSpec;
import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.VirtualLayout;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.datatype.Datatype;
import io.skerry.internal.value.PackedArrays;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A dataset that a connector stores under a path. Each rank passes its own selection to collective
 * reads and writes, or {@link Selection#none()} if it has nothing to read or write. Values are
 * packed in selection order; if several ranks write the same element in one call, the value of the
 * highest rank is stored.
 *
 * <p>If a collective method fails on one rank, it throws {@link
 * io.skerry.parallel.CollectiveException} on all ranks; unless the method states otherwise, nothing
 * has changed in that case, except that a container may contain part of a write or erasure that
 * affects more than 32 MiB of chunks on one rank. A collective method that flushes (see {@link
 * io.skerry.Dataset#independent}) throws {@link io.skerry.parallel.CommitException} on all ranks if
 * the commit of that flush fails; from then on, collective methods throw {@link
 * IllegalStateException}. {@link StoredFile} describes the other failures of collective and local
 * methods; {@link io.skerry.Dataset} describes those of an HDF5 file for each method. Methods that
 * access elements or storage throw an {@link IllegalStateException}, or a {@link
 * io.skerry.parallel.CollectiveException} with such a cause, if the dataset has been deleted.
 */
public non-sealed interface StoredDataset extends StoredObject {
  /**
   * Returns the current and the maximum extent. Local, thread-safe; does not fail.
   *
   * @return the extent, in elements
   */
  Shape shape();

  /**
   * Returns whether the dataset has a type but no elements. Local, thread-safe; does not fail.
   *
   * @return true if the dataspace is null
   */
  boolean isNull();

  /**
   * Returns the datatype of the elements in the file. Local, thread-safe; does not fail.
   *
   * @return the datatype, which includes the size of an element in bytes
   */
  Datatype datatype();

  /**
   * Returns the value that is read for elements that have not been written. Local, thread-safe.
   *
   * @return the bytes of one element, in the file datatype
   * @throws io.skerry.exception.MemoryLimitException if an element needs more memory than the
   *     process may use
   */
  byte[] fillValue();

  /**
   * Returns the layout and the filters of the dataset. Local, thread-safe.
   *
   * @return the description of the storage, for display
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the description in the file is damaged
   */
  StorageInfo storage();

  /** See {@link io.skerry.Dataset#specification}, which lists the failures. Local, thread-safe. */
  DatasetSpec specification();

  /**
   * Returns the number of stored chunks and the number of bytes that the dataset occupies in the
   * file; for a chunked dataset, as of the last flush. Local, thread-safe.
   *
   * @return the number of stored chunks, and the sizes of the data and of the index in bytes
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the storage is damaged
   */
  StorageInfo.Usage usage();

  /**
   * Returns the mappings; see {@link io.skerry.Dataset#virtualLayout}. Local, thread-safe.
   *
   * @return the mappings; empty if the dataset is not virtual
   * @throws io.skerry.exception.FormatException if a stored mapping is damaged
   */
  default Optional<VirtualLayout> virtualLayout() {
    return Optional.empty();
  }

  /**
   * Returns the reasons why other files that hold elements of the dataset are refused; see {@link
   * io.skerry.Dataset#refusedFiles}. Local, thread-safe.
   *
   * @return one message for each refused file; empty if no file is refused
   * @throws io.skerry.exception.FormatException if a stored mapping is damaged
   */
  default List<String> refusedFiles() {
    return List.of();
  }

  /**
   * Returns the files that hold the elements of a virtual dataset or of a dataset in external
   * files; see {@link io.skerry.Dataset#elementFiles}. Local, thread-safe.
   *
   * @return the paths of the files, including this file if it contains a source; empty for any
   *     other dataset
   * @throws io.skerry.parallel.CollectiveException if a source cannot be opened
   * @throws io.skerry.exception.FormatException if the dataset is its own source
   * @throws IllegalStateException if the dataset is virtual and the file is closed
   */
  default Set<Path> elementFiles() {
    return Set.of();
  }

  /**
   * Returns whether elements can be undefined. Local, thread-safe.
   *
   * @return true if the dataset, or a source of a virtual dataset, is sparse
   * @throws IllegalStateException if the dataset is virtual and the file is closed
   */
  boolean isSparse();

  /**
   * Writes values; afterwards, the selected elements are defined. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param memory the type of the values in memory
   * @param values one value for each selected element, in selection order, of {@code memory.size()}
   *     bytes each
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the selection
   *     exceeds the extent, {@code values} has too few bytes (or too many, unless the chunks
   *     contain variable-length content) or cannot be accessed by this thread, the types cannot be
   *     converted, or the values cannot be stored; {@link io.skerry.Dataset#write(Selection,
   *     Datatype, MemorySegment)} states what may have changed in an HDF5 file after a failure
   * @throws io.skerry.exception.UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void write(Selection selection, Datatype memory, MemorySegment values);

  /**
   * Writes values of any type, including variable-length values and references. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param values one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the selection
   *     exceeds the extent, the number of values differs from the number of selected elements, a
   *     value does not fit the type, or the values cannot be stored, as in {@link #write}
   * @throws io.skerry.exception.UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void writeValues(Selection selection, List<Value> values);

  /**
   * Reads values; undefined elements are read as the fill value. Collective.
   *
   * @param selection the elements to read, within the extent
   * @param memory the type of the values in memory
   * @param target the target, which allocates memory for one value per selected element; if it
   *     fails on one rank, the read fails on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the selection
   *     exceeds the extent, the types cannot be converted, the target fails or allocates too few
   *     bytes or memory that this thread cannot write, the elements are damaged or unreadable, or
   *     memory is insufficient
   * @throws io.skerry.exception.UnsupportedFeatureException if the chunks contain variable-length
   *     content
   * @throws IllegalStateException if the file is closed
   */
  void read(Selection selection, Datatype memory, ReadTarget target);

  /**
   * Reads elements in the file datatype, and provides access to the variable-length values and the
   * objects to which they refer. Collective.
   *
   * @param selection the elements to read, within the extent
   * @return the elements in selection order, and access to these values and objects
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the selection
   *     exceeds the extent, the elements are damaged or unreadable, or memory is insufficient
   * @throws IllegalStateException if the file is closed
   */
  StoredElements readElements(Selection selection);

  /**
   * Reads elements of any type as values. Collective.
   *
   * @param selection the elements to read, within the extent
   * @return one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the selection
   *     exceeds the extent, the elements or their variable-length values are damaged or unreadable,
   *     or memory is insufficient
   * @throws IllegalStateException if the file is closed
   */
  List<Value> readValues(Selection selection);

  /**
   * Returns the defined elements among the selected ones; in a dense dataset, all elements are
   * defined. In a virtual dataset, an element is defined if its source exists and defines it.
   * Collective.
   *
   * @param selection the elements to examine, within the extent
   * @return a selection in the coordinates of the dataset; {@link Selection#none()} if none is
   *     defined
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the selection
   *     exceeds the extent of a chunked or virtual dataset, the elements are damaged or unreadable,
   *     or memory is insufficient
   * @throws IllegalStateException if the file is closed and the dataset is chunked or virtual
   */
  Selection defined(Selection selection);

  /**
   * Makes elements of a sparse dataset, or of the sparse sources of a virtual dataset, undefined.
   * Collective.
   *
   * @param selection the elements to remove, within the extent
   * @throws io.skerry.parallel.CollectiveException on all ranks if the dataset is dense, or, on any
   *     rank, the selection exceeds the extent, a chunk is damaged or unreadable, or memory is
   *     insufficient; {@link io.skerry.Dataset#erase} states what may have changed in an HDF5 file.
   *     Also thrown on all ranks if a flush after the removal fails before its commit; in that
   *     case, the elements have been removed
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void erase(Selection selection);

  /**
   * Flushes the file if it is open for writing, and returns the stored chunks of the dataset.
   * Collective; the methods of the table are local.
   *
   * @return the table of the stored chunks
   * @throws io.skerry.exception.UnsupportedFeatureException if the dataset is not chunked
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush fails before its
   *     commit
   * @throws IllegalStateException if the file is closed
   */
  ChunkTable chunks();

  /**
   * Returns the number of bytes that the dataset occupies in the file, broken down by use. If the
   * dataset is chunked and the file is open for writing, flushes first. Each rank then reads the
   * storage independently. Collective.
   *
   * @return the statistics, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush fails before its
   *     commit, or a source of a virtual dataset cannot be read
   * @throws io.skerry.exception.FormatException on each rank that finds the storage damaged
   * @throws io.skerry.exception.UnsupportedFeatureException if a filter of a chunk that is read is
   *     not installed
   * @throws io.skerry.exception.MemoryLimitException if a chunk needs more memory than this rank
   *     may use
   * @throws io.skerry.mpi.MpiException if this rank cannot read the file
   * @throws IllegalStateException if the file is closed
   */
  StorageStatistics statistics();

  /**
   * Replaces stored chunks with encoded chunks; see {@link io.skerry.Dataset#writeChunks}. Flushes
   * first. Collective.
   *
   * @param images the images that this rank writes, keyed by the coordinates of the first element
   *     of each chunk
   * @throws io.skerry.parallel.CollectiveException on all ranks if an image of any rank is not a
   *     valid chunk of this dataset, no chunk within the extent begins at the coordinates of an
   *     image, variable-length values are stored outside the chunks, the flush fails before its
   *     commit, or memory or disk space is insufficient; in this case, no chunk has changed
   * @throws io.skerry.exception.UnsupportedFeatureException if the dataset is not chunked
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void writeChunks(Map<List<Long>, ChunkImage> images);

  /**
   * Sets the extent. If a dimension becomes smaller, the elements outside the new extent are
   * removed; see {@link io.skerry.Dataset#extendTo}. Collective.
   *
   * @param extent the size of each dimension in elements, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the extent has a different
   *     number of dimensions, is negative, exceeds the maximum or has more than 2^63 - 1 elements,
   *     the ranks pass different extents, a flush fails before its commit, a chunk that is only
   *     partly inside the new extent cannot be read, or the mappings of a virtual dataset do not
   *     permit the extent
   * @throws io.skerry.exception.UnsupportedFeatureException if the dataset is neither chunked nor
   *     virtual
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void extendTo(long... extent);

  /**
   * Returns a view of the dataset for independent access by one rank; see {@link
   * io.skerry.Dataset#independent}. Any thread may use the view, unless several ranks have a
   * container open. Local, thread-safe; does not fail.
   *
   * @return the view, which refuses changes in a container that several ranks have open
   */
  StoredDataset independent();

  /** Allocates the memory that receives the values of a read. */
  @FunctionalInterface
  interface ReadTarget {
    /**
     * Allocates the memory. Local.
     *
     * @param elements the number of values that the memory must hold
     * @return the memory
     * @throws io.skerry.exception.MemoryLimitException if the values need more memory than the
     *     process may use
     */
    MemorySegment make(long elements);
  }

  /**
   * Allocates the array that receives the result of one read. Not thread-safe.
   *
   * @param <A> the type of the array, such as {@code int[]}
   */
  final class ArrayTarget<A> implements ReadTarget {
    private final Supplier<String> path;
    private final int unit;
    private final long valueBytes;
    private final ArrayForm<A> form;
    private A made;
    private boolean isMade;

    /** The path is a function, since joining its names takes longer than a small read. */
    ArrayTarget(Supplier<String> path, int unit, long valueBytes, ArrayForm<A> form) {
      this.path = path;
      this.unit = unit;
      this.valueBytes = valueBytes;
      this.form = form;
      this.made = form.none();
    }

    /**
     * Creates a target for one read of bytes. Local; does not fail.
     *
     * @param path a function that returns the path of the dataset, for messages
     * @param bytes the number of bytes of a value
     * @param valueBytes the number of heap bytes of a value and of objects created from it
     * @return the target
     */
    public static ArrayTarget<byte[]> ofBytes(Supplier<String> path, int bytes, long valueBytes) {
      return new ArrayTarget<>(path, bytes, valueBytes, ArrayForm.BYTES);
    }

    /**
     * Allocates the array. Local.
     *
     * @param elements the number of values
     * @return the memory of the array
     * @throws io.skerry.exception.MemoryLimitException if the values need more memory than the
     *     process may use
     * @throws io.skerry.exception.UnsupportedFeatureException if the array would have more elements
     *     than a Java array can have
     */
    @Override
    public MemorySegment make(long elements) {
      MemoryLimit.require(elements, valueBytes, () -> purpose(elements));
      int length = PackedArrays.length(elements, unit, path);
      try {
        // MemoryLimit.make serves many callers, so the JVM cannot inline the allocation there.
        made = form.maker().apply(length);
      } catch (OutOfMemoryError e) {
        throw MemoryLimit.exhausted(elements, valueBytes, purpose(elements), e);
      }
      isMade = true;
      return form.memory().apply(made);
    }

    private String purpose(long elements) {
      return "an array of %d elements of %s, in place of smaller parts or a read into a MemorySegment"
          .formatted(elements, path.get());
    }

    /**
     * Returns the array. Local.
     *
     * @return the array that was allocated
     * @throws NoSuchElementException if {@link #make} was not called or failed
     */
    public A made() {
      if (!isMade) {
        throw new NoSuchElementException("no array was made: dataset=" + path.get());
      }
      return made;
    }
  }
}
