package io.skerry;

import io.skerry.chunk.ChunkImage;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A dataset: an array of elements of one type. In a sparse dataset, only elements that were written
 * exist; the others are read as the fill value.
 *
 * <p>Each method is marked as collective or local. All ranks that have the file open call the
 * collective methods in the same order. Each rank passes its own selection, or {@link
 * Selection#none()} if it has nothing to read or write. Values are packed in selection order. If
 * several ranks write an element in one call, the value of the highest rank is stored.
 *
 * <p>If a collective operation fails on any rank, its method throws {@link
 * io.skerry.parallel.CollectiveException} on all ranks; unless the method states otherwise, nothing
 * has changed in this case. The method throws {@link IllegalStateException} on the calling rank if
 * the file is closed, and, with several ranks, if the calling thread is not the one that opened the
 * file. It throws {@link io.skerry.mpi.MpiException} if the communication between the ranks fails.
 * If only one rank has the file open, a method throws {@link
 * io.skerry.cache.RequestInterruptedException} if its thread is interrupted while it waits for
 * other threads.
 *
 * <p>A collective method that flushes (see {@link #independent}) fails with {@link
 * io.skerry.parallel.CollectiveException} if the flush fails before its commit. If the commit
 * fails, it throws {@link io.skerry.parallel.CommitException} on all ranks, and later collective
 * methods throw {@link IllegalStateException}; the flush is completed or discarded when the file is
 * next opened.
 *
 * <p>In a container, a failed write or erasure that affects more than 32 MiB of chunks on one rank
 * may have changed some of them. If the program delimits the {@link Transactions} of a container,
 * {@link #chunks}, {@link #statistics} and {@link #writeChunks} do not flush.
 *
 * <p>Methods that access elements or storage fail if the dataset has been deleted. They throw an
 * {@link IllegalStateException}, or a {@link io.skerry.parallel.CollectiveException} with such an
 * exception as its cause.
 *
 * <p>Numbers are converted between the type in memory and the type in the file as in HDF5: in a
 * conversion to integers, a value that does not fit is clipped to the nearest value that does, and
 * fractions are truncated; in a conversion to floating-point numbers, values are rounded, and
 * values that are too large become infinite. Members of compounds are matched by name.
 */
// Longer than other types, since more than half of the lines document the API.
public non-sealed interface Dataset extends H5Object {
  /**
   * Returns the current and the maximum extent. In a virtual dataset with unlimited mappings, the
   * extent is derived from that of the sources at the time the dataset was opened. The source files
   * are kept open, so their growth may become visible only when the file of the dataset is opened
   * again. Local, thread-safe; does not fail.
   *
   * @return the extent, in elements
   */
  Shape shape();

  /**
   * Returns whether the dataspace is null: the dataset has a type but no elements. Local,
   * thread-safe; does not fail.
   *
   * @return true if the dataspace is null
   */
  boolean isNull();

  /**
   * Returns the datatype of an element in the file. Local, thread-safe; does not fail.
   *
   * @return the datatype, with the size of an element in bytes
   */
  Datatype datatype();

  /**
   * Returns the fill value: the value that is read for elements that were not written. Local,
   * thread-safe.
   *
   * @return the bytes of one element in the file datatype; zeros if no fill value is defined
   * @throws io.skerry.exception.MemoryLimitException if an element does not fit into the heap
   */
  byte[] fillValue();

  /**
   * Returns a view of this dataset for independent access. Its {@code read} methods and {@link
   * #defined} are local: any thread may call them at any time, even while another thread is in a
   * collective operation. They return the elements as of the last flush, with the later independent
   * writes of this rank applied. Elements of contiguous and compact datasets, and of stored dense
   * chunks without filters, may also have values that other calls have written since that flush. If
   * a method of the view fails, it throws the exception itself, such as a {@link
   * io.skerry.exception.FormatException}, instead of a {@link
   * io.skerry.parallel.CollectiveException}. In a container with several ranks, the methods return
   * the elements with all completed writes of all ranks, only the thread that opened the file may
   * call them, and every write through the view throws {@link IllegalStateException}.
   *
   * <p>The {@code write} method of the view is also local. It writes directly to the file, and only
   * elements at a fixed address: those of contiguous datasets with allocated space, and those of
   * stored dense chunks without filters. Other ranks see the values after the next flush; if
   * several ranks write an element between two flushes, any of their values may be stored. All
   * other writes throw {@link IllegalStateException} and change nothing: sparse and filtered chunks
   * have no fixed size, so the ranks must allocate them together. Variable-length values and
   * references cannot be written through the view. A write to a chunked dataset is also refused
   * after a collective write to any chunked dataset of the file until the next flush, while a new
   * extent of the dataset is unflushed, if it sets only some members of a compound, or if the file
   * was opened with {@link io.skerry.parallel.FileOptions.Overwriting#BY_FLUSH}.
   *
   * <p>The following operations flush:
   *
   * <ul>
   *   <li>{@link H5File#flush}, {@link H5File#close}, and each method documented to flush first
   *   <li>with several ranks, a collective read of a chunked dataset with unflushed changes, a
   *       collective read of a virtual dataset with a source in the same file, a collective write
   *       to or erasure from a virtual dataset, and an erasure whose selection can intersect more
   *       than 4,096 chunks
   *   <li>a change to the extent that removes elements, and any change to the extent of a dataset
   *       with {@linkplain DatasetSpec.Edges#UNFILTERED unfiltered} partial edge chunks or with
   *       {@linkplain DatasetSpec.Allocation#EARLY early} allocation
   *   <li>a write, an erasure or an early allocation that exceeds {@link
   *       io.skerry.parallel.FileOptions#dirtyLimit}, and, in mode {@link
   *       io.skerry.parallel.WriteMode#THROUGH}, each of these in a chunked dataset
   * </ul>
   *
   * <p>If only one rank has the file open, the view is the dataset itself: its reads see every
   * write, and its methods throw the exceptions that this interface documents. Local, thread-safe;
   * does not fail.
   *
   * @return the view; with several ranks, its {@link #writeValues}, {@link #write(Selection,
   *     String[])}, {@link #erase}, {@link #writeChunk}, {@link #writeChunks}, {@link #extend},
   *     {@link #extendTo}, {@link #chunks} and {@link #statistics} throw {@link
   *     IllegalStateException}
   */
  Dataset independent();

  /**
   * Returns the layout, the chunk shape, the chunk index and the filters. Local, thread-safe.
   *
   * @return the description of the storage, for display
   * @throws IllegalStateException if the file is closed or the dataset has been deleted
   * @throws io.skerry.exception.FormatException if the object header is damaged
   */
  StorageInfo storage();

  /**
   * Returns a specification with which a dataset like this one can be created. Parameters that
   * filters derive from the dataset are left out, since the creation of a dataset adds them. Local,
   * thread-safe.
   *
   * @return the specification, with the current extent; its committed datatype is given by a path
   *     in this file, and is left out if no hard link leads to it
   * @throws IllegalStateException if the file is closed, or if it is a container and the dataset
   *     has been deleted
   * @throws io.skerry.exception.FormatException if the metadata of the dataset are damaged
   */
  DatasetSpec specification();

  /**
   * Returns the amount of storage that the elements of the dataset occupy; for a chunked dataset,
   * as of the last flush. Reads the whole chunk index. Local, thread-safe.
   *
   * @return the number of stored chunks, and the numbers of bytes of data and index
   * @throws IllegalStateException if the file is closed or the dataset has been deleted
   * @throws io.skerry.exception.FormatException if the chunk index is damaged
   */
  StorageInfo.Usage usage();

  /**
   * Returns the mappings of a virtual dataset. Local, thread-safe.
   *
   * @return the mappings, with the selections and names of the file; empty if the dataset is not
   *     virtual
   * @throws io.skerry.exception.FormatException if a stored mapping is damaged
   */
  Optional<VirtualLayout> virtualLayout();

  /**
   * Returns the reasons why the {@linkplain io.skerry.parallel.Trust policy} of the file refuses
   * external data files or virtual sources of this dataset; reads of elements in these files fail.
   * For a mapping with one source per block, only the file of the first block is checked. Local,
   * thread-safe.
   *
   * @return one message for each refused file; empty if no file is refused
   * @throws io.skerry.exception.FormatException if a stored mapping is damaged
   */
  List<String> refusedFiles();

  /**
   * Returns the files that hold the elements of a virtual dataset or of a dataset in external
   * files: the external data files, or the files of the sources and, if a source is itself virtual
   * or external, the files that hold its elements. Opens every source. Missing files, and files
   * that the {@linkplain io.skerry.parallel.Trust policy} refuses, are left out. Local,
   * thread-safe.
   *
   * @return the paths of the files, including this file if it contains a source; empty for any
   *     other dataset
   * @throws io.skerry.parallel.CollectiveException if a source cannot be opened
   * @throws io.skerry.exception.FormatException if the dataset is its own source
   * @throws IllegalStateException if the dataset is virtual and the file is closed
   */
  Set<Path> elementFiles();

  /**
   * Returns whether the dataset is sparse, so that elements may be undefined. A virtual dataset is
   * sparse if one of its sources is; the first call examines its first 32 sources, and skips those
   * that cannot be opened. Local, thread-safe.
   *
   * @return true if the chunks of the dataset, or of a source, are sparse
   * @throws IllegalStateException if the dataset is virtual and the file is closed
   */
  boolean isSparse();

  /**
   * Writes values of the given memory type; the selected elements are then defined. Members of a
   * compound that are missing from the memory type keep their values. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param memory the type of the values in memory
   * @param values one value for each selected element, in selection order, of {@code memory.size()}
   *     bytes each
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the selection
   *     exceeds the extent, {@code values} has too few bytes or cannot be accessed by this thread,
   *     {@code values} has too many bytes and the chunks do not hold variable-length values, the
   *     types cannot be converted, the elements are in a container and have variable-length values
   *     or region references outside the chunks, a partially overwritten chunk is damaged or one of
   *     its filters is not installed, memory or disk space is insufficient, or a flush fails. Then
   *     nothing is written, with three exceptions: elements of a contiguous dataset and of stored
   *     dense chunks without filters may have been overwritten; if only one rank has the file open,
   *     some chunks of a write that is larger than the cache may have changed; and if only a flush
   *     after the write fails, the write itself has succeeded. A write to a virtual dataset also
   *     fails if, on any rank, a selected element has no mapping, several mappings with existing
   *     sources contain it, or its source is missing and missing sources are not {@linkplain
   *     io.skerry.parallel.FileOptions.MissingSources#CREATED created}; then nothing is written. If
   *     a source file cannot be opened for writing or a source cannot be written, earlier sources
   *     may have changed.
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void write(Selection selection, Datatype memory, MemorySegment values);

  /**
   * Writes values of any type, including variable-length values and references. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param values one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the number of
   *     values differs from the number of selected elements, a value does not fit the type, or the
   *     write fails as in {@link #write(Selection, Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void writeValues(Selection selection, List<Value> values);

  /**
   * Writes strings of fixed or variable length. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param texts one string for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the datatype is
   *     not a string, a string is too long for it, or the write fails as in {@link
   *     #write(Selection, Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void write(Selection selection, String[] texts);

  /**
   * Writes 8-bit integers. In a u8 dataset, their bit patterns are stored unchanged. If the dataset
   * does not hold numbers, the bytes are elements in the file datatype. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param values one value for each selected element, in selection order; if the dataset does not
   *     hold numbers, the bytes of these elements
   * @throws io.skerry.parallel.CollectiveException on all ranks if the write fails on any rank, as
   *     in {@link #write(Selection, Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void write(Selection selection, byte[] values);

  /**
   * Writes 16-bit integers. In a u16 dataset, their bit patterns are stored unchanged. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param values one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if the write fails on any rank, as
   *     in {@link #write(Selection, Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void write(Selection selection, short[] values);

  /**
   * Writes 32-bit integers. In a u32 dataset, their bit patterns are stored unchanged. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param values one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if the write fails on any rank, as
   *     in {@link #write(Selection, Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void write(Selection selection, int[] values);

  /**
   * Writes 64-bit integers. In a u64 dataset, their bit patterns are stored unchanged. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param values one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if the write fails on any rank, as
   *     in {@link #write(Selection, Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void write(Selection selection, long[] values);

  /**
   * Writes 32-bit floating-point numbers. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param values one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if the write fails on any rank, as
   *     in {@link #write(Selection, Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void write(Selection selection, float[] values);

  /**
   * Writes 64-bit floating-point numbers. Collective.
   *
   * @param selection the elements to write, within the extent
   * @param values one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if the write fails on any rank, as
   *     in {@link #write(Selection, Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void write(Selection selection, double[] values);

  /**
   * Removes elements, which are then undefined. In a virtual dataset, they are removed from the
   * sources; elements without a source are ignored. Collective.
   *
   * @param selection the elements to remove, within the extent
   * @throws io.skerry.parallel.CollectiveException on all ranks if the dataset is dense, or, on any
   *     rank, the selection exceeds the extent, a chunk is damaged, one of its filters is not
   *     installed, memory is insufficient, or a flush fails. Then nothing is removed, with two
   *     exceptions: if only one rank has the file open, some chunks of an erasure that is larger
   *     than the cache may have changed, and if only a flush after the erasure fails, the erasure
   *     itself has succeeded. An erasure from a virtual dataset also fails if, on any rank, several
   *     mappings with existing sources contain a selected element, and nothing is removed; if a
   *     source file cannot be opened for writing or a source cannot be changed, earlier sources may
   *     have changed.
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void erase(Selection selection);

  /**
   * Reads values into memory; undefined elements are read as the fill value. With several ranks,
   * this and every other read of a chunked dataset flushes the file first if the dataset has
   * unflushed changes. Collective.
   *
   * @param selection the elements to read, within the extent
   * @param memory the type of the values in memory
   * @param values the memory to fill with one value for each selected element, in selection order,
   *     of {@code memory.size()} bytes each; members of a compound that are missing from the
   *     dataset are not changed
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the selection
   *     exceeds the extent, {@code values} has too few bytes or cannot be written by this thread,
   *     the types cannot be converted, a chunk is damaged, its filter is not installed, another
   *     file that holds elements is refused or unreadable, or memory is insufficient, or if the
   *     flush fails before its commit; {@code values} may then be partly filled
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws UnsupportedFeatureException if the chunks hold variable-length values, which {@link
   *     #readValues} reads
   * @throws IllegalStateException if the file is closed
   */
  void read(Selection selection, Datatype memory, MemorySegment values);

  /**
   * Reads elements in the file datatype. Collective.
   *
   * @param selection the elements to read, within the extent
   * @return the bytes of the selected elements, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the elements do
   *     not fit into an array or the heap, or the read fails as in {@link #read(Selection,
   *     Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws UnsupportedFeatureException if the chunks hold variable-length values, which {@link
   *     #readElements} reads
   * @throws IllegalStateException if the file is closed
   */
  byte[] readBytes(Selection selection);

  /**
   * Reads 16-bit integers. If the dataset is u16, the bit patterns are returned unchanged.
   * Collective.
   *
   * @param selection the elements to read, within the extent
   * @return one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the values do not
   *     fit into an array or the heap, or the read fails as in {@link #read(Selection, Datatype,
   *     MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws UnsupportedFeatureException if the chunks hold variable-length values
   * @throws IllegalStateException if the file is closed
   */
  short[] readShorts(Selection selection);

  /**
   * Reads 32-bit integers. If the dataset is u32, the bit patterns are returned unchanged.
   * Collective.
   *
   * @param selection the elements to read, within the extent
   * @return one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the values do not
   *     fit into an array or the heap, or the read fails as in {@link #read(Selection, Datatype,
   *     MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws UnsupportedFeatureException if the chunks hold variable-length values
   * @throws IllegalStateException if the file is closed
   */
  int[] readInts(Selection selection);

  /**
   * Reads 64-bit integers. If the dataset is u64, the bit patterns are returned unchanged.
   * Collective.
   *
   * @param selection the elements to read, within the extent
   * @return one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the values do not
   *     fit into an array or the heap, or the read fails as in {@link #read(Selection, Datatype,
   *     MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws UnsupportedFeatureException if the chunks hold variable-length values
   * @throws IllegalStateException if the file is closed
   */
  long[] readLongs(Selection selection);

  /**
   * Reads 32-bit floating-point numbers. Collective.
   *
   * @param selection the elements to read, within the extent
   * @return one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the values do not
   *     fit into an array or the heap, or the read fails as in {@link #read(Selection, Datatype,
   *     MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws UnsupportedFeatureException if the chunks hold variable-length values
   * @throws IllegalStateException if the file is closed
   */
  float[] readFloats(Selection selection);

  /**
   * Reads 64-bit floating-point numbers. Collective.
   *
   * @param selection the elements to read, within the extent
   * @return one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the values do not
   *     fit into an array or the heap, or the read fails as in {@link #read(Selection, Datatype,
   *     MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws UnsupportedFeatureException if the chunks hold variable-length values
   * @throws IllegalStateException if the file is closed
   */
  double[] readDoubles(Selection selection);

  /**
   * Reads elements in the file datatype, with access to the variable-length values and the objects
   * to which they refer. For a virtual dataset, the variable-length values are copied into memory.
   * Collective.
   *
   * @param selection the elements to read, within the extent
   * @return the elements in selection order, and access to these values and objects
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the elements do
   *     not fit into an array or the heap, or the read fails as in {@link #read(Selection,
   *     Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws IllegalStateException if the file is closed
   */
  StoredElements readElements(Selection selection);

  /**
   * Reads elements of any type, including variable-length values and references. A reference that
   * is read through a virtual dataset refers to an object in the file of the source, and names that
   * file if it is not the file of the virtual dataset. A copy of the elements of a virtual dataset
   * stores such a reference to another file as null. Collective.
   *
   * @param selection the elements to read, within the extent
   * @return one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, a variable-length
   *     value or a reference is damaged, the values do not fit into the heap, or the read fails as
   *     in {@link #read(Selection, Datatype, MemorySegment)}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws IllegalStateException if the file is closed
   */
  List<Value> readValues(Selection selection);

  /**
   * Reads strings of fixed or variable length, without padding. Collective.
   *
   * @param selection the elements to read, within the extent
   * @return one string for each selected element, in selection order
   * @throws UnsupportedFeatureException if the datatype is not a string
   * @throws io.skerry.parallel.CollectiveException on all ranks if the read fails on any rank, as
   *     in {@link #readValues}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws IllegalStateException if the file is closed
   */
  List<String> readStrings(Selection selection);

  /**
   * Returns the selected elements that are defined; in a dense dataset, all elements are defined.
   * In a virtual dataset, an element is defined if the source from which it is read exists and
   * defines it; elements without a mapping are undefined. If the selection is a list of points, the
   * result keeps their order. With several ranks, flushes the file first if the dataset has
   * unflushed changes. Collective.
   *
   * @param selection the elements to examine, within the extent
   * @return a selection in the coordinates of the dataset; {@link Selection#none()} if no selected
   *     element is defined
   * @throws io.skerry.parallel.CollectiveException on all ranks if, on any rank, the selection
   *     exceeds the extent of a dataset that is chunked, virtual or in a container, a chunk is
   *     damaged, one of its filters is not installed, a source cannot be read, or memory is
   *     insufficient, or if the flush fails before its commit
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws IllegalStateException if the file is closed and the dataset is chunked, virtual or in a
   *     container
   */
  Selection defined(Selection selection);

  /**
   * Returns the stored chunks: their addresses, sizes and bytes. Flushes first if the file is open
   * for writing, so that the table includes every write. Collective; the methods of the table are
   * local.
   *
   * @return the table of the stored chunks
   * @throws UnsupportedFeatureException if the dataset is not chunked
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush fails before its
   *     commit
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws IllegalStateException if the file is closed
   */
  ChunkTable chunks();

  /**
   * Computes the number of bytes that the dataset occupies in the file for each kind of use, the
   * number of defined elements, the order of the chunks in the file, and the estimated size of the
   * same dataset with dense storage. If the dataset is chunked and the file is open for writing,
   * flushes first. Each rank then independently reads the whole index and, for a sparse dataset,
   * section 0 of every chunk and all sections of at most 16 chunks. Collective.
   *
   * @return the statistics, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush fails before its
   *     commit, or a source of a virtual dataset cannot be read
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws io.skerry.exception.FormatException on each rank that finds the chunk index or a chunk
   *     damaged
   * @throws UnsupportedFeatureException if a filter of a chunk that is read is not installed
   * @throws io.skerry.exception.MemoryLimitException if a chunk does not fit into the heap of this
   *     rank
   * @throws io.skerry.mpi.MpiException if this rank cannot read the file
   * @throws IllegalStateException if the file is closed
   */
  StorageStatistics statistics();

  /**
   * Stores one encoded chunk per rank, like {@link #writeChunks}. Collective.
   *
   * @param image the bytes of the stored chunk and the table of its sections
   * @param offset the coordinates of the first element of the chunk, within the extent
   * @throws io.skerry.parallel.CollectiveException on all ranks if the image of any rank is
   *     refused, no chunk of the extent begins at {@code offset}, the variable-length values of the
   *     dataset are in the global heap, the flush fails before its commit, or memory or disk space
   *     is insufficient; in this case, no chunk has changed
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws UnsupportedFeatureException if the dataset is not chunked
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void writeChunk(ChunkImage image, long... offset);

  /**
   * Stores encoded chunks, such as those that {@link ChunkTable#image} returns for a dataset with
   * the same type, chunks and filters. Flushes first; with the next flush, the chunks replace those
   * in the file. If several ranks pass the same chunk, the image from the highest rank is stored.
   * Collective.
   *
   * <p>Every image is decoded before any is stored, so its filters must be installed. An image that
   * a reader would reject is refused: one with a wrong number of sections or masks, wrong sizes or
   * checksums, or bytes that the filters cannot decode. For a sparse dataset, an image without
   * locations (call {@link #erase} instead) or with locations outside the extent is also refused.
   *
   * @param images the images of this rank, by the coordinates of the first element of each chunk
   * @throws io.skerry.parallel.CollectiveException on all ranks if an image of any rank is refused,
   *     no chunk of the extent begins at its coordinates, the variable-length values of the dataset
   *     are in the global heap, the flush fails before its commit, or memory or disk space is
   *     insufficient; in this case, no chunk has changed
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of the flush fails
   * @throws UnsupportedFeatureException if the dataset is not chunked
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void writeChunks(Map<List<Long>, ChunkImage> images);

  /**
   * Sets the size of the first dimension, like {@link #extendTo}; the other dimensions do not
   * change. Collective.
   *
   * @param size the size in elements, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the size is negative or exceeds
   *     the maximum, the extent would have more than 2^63 - 1 elements, the ranks pass different
   *     sizes, a flush fails before its commit, a chunk that is only partly inside the new extent
   *     cannot be read, disk space is insufficient, or the mappings of a virtual dataset do not
   *     permit the size
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the dataset is neither chunked nor virtual
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void extend(long size);

  /**
   * Sets the extent. Elements outside a smaller extent are removed: if the dataset grows again,
   * they are read as the fill value; in a sparse dataset, they are undefined. Collective.
   *
   * <p>A virtual dataset cannot become smaller than its mappings, and the sources determine the
   * extent of unlimited mappings. The sources do not change. Other {@code Dataset} objects for the
   * same virtual dataset keep their extent until the dataset is opened again.
   *
   * @param extent the size of each dimension in elements, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the extent has a different
   *     number of dimensions, is negative, exceeds the maximum or has more than 2^63 - 1 elements,
   *     the ranks pass different extents, a flush fails before its commit, a chunk that is only
   *     partly inside the new extent cannot be read, disk space is insufficient, or the mappings of
   *     a virtual dataset do not permit the extent
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws UnsupportedFeatureException if the dataset is neither chunked nor virtual
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void extendTo(long... extent);
}
