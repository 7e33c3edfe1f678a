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
import java.util.Set;

/**
 * A dataset: an array of elements of one type. If it is sparse, only elements that were written
 * exist; the others read as the fill value.
 *
 * <p>Methods are collective unless they say that they are local: all ranks that have the file open
 * call them in the same order. Each rank passes its own selection, {@link Selection#none()} if it
 * takes no part. Values are packed in selection order. If several ranks write an element in one
 * call, the value of the highest rank is stored.
 *
 * <p>Collective methods throw {@link io.skerry.parallel.CollectiveException} on all ranks if one of
 * them fails: a selection outside the extent or of another rank, arrays of another length, a
 * damaged chunk, a full disk. All methods throw {@link IllegalStateException} if the file is
 * closed.
 *
 * <p>Numbers are converted between the type in memory and the type in the file as HDF5 does: values
 * that do not fit are clipped to the nearest that does, fractions are truncated, members of
 * compounds are matched by name.
 */
public non-sealed interface Dataset extends H5Object {
  /** The current and the maximum extent, in elements. Local. */
  Shape shape();

  /** Returns whether the dataspace is null: the dataset has a type and no elements. Local. */
  boolean isNull();

  /** The datatype of an element in the file. Local. */
  Datatype datatype();

  /**
   * The fill value, as one element in the datatype of the file; zeros if none was set. Elements
   * that were not written are read as this value. Local.
   *
   * @throws io.skerry.exception.MemoryLimitException if an element exceeds the heap
   */
  byte[] fillValue();

  /**
   * Returns a view of this dataset for independent access. Its {@code read} methods and {@link
   * #defined} are local: any thread may call them at any time, also while another thread is in a
   * collective operation. They return the state of the last flush, with later writes in place.
   *
   * <p>{@code write} of the view is local too, for elements at a fixed address: those of contiguous
   * datasets with allocated space, and those of stored dense chunks without filters. It writes to
   * the file directly. Other ranks see the values after the next flush; if several ranks write an
   * element between two flushes, any of their values is stored. All other writes throw {@link
   * IllegalStateException} and change nothing: sparse and filtered chunks have no fixed size, so
   * the ranks have to allocate them together. So does a write while elements of a collective write
   * are unflushed.
   *
   * <p>A flush is {@link H5File#flush} and each method that is said to flush first, a collective
   * read of chunks, a change of extent that removes elements, and a write above {@link
   * io.skerry.parallel.FileOptions#dirtyLimit}.
   *
   * <p>In a file of a single rank the view is the dataset itself, whose reads see every write.
   * Local.
   */
  Dataset independent();

  /** The layout, the chunk shape, the chunk index and the filters. Local. */
  StorageInfo storage();

  /**
   * The number of bytes that the dataset takes in the file since the last flush. Local; reads the
   * whole chunk index.
   */
  StorageInfo.Usage usage();

  /**
   * The reasons for which the {@linkplain io.skerry.parallel.Trust policy} of the file refuses
   * external data files and sources of this dataset: one message for each refused file. A read of
   * all elements fails with one of them. Empty if no file is refused. Local.
   */
  List<String> refusedFiles();

  /**
   * The other files that hold elements of this dataset: external data files, files of virtual
   * sources, and those of sources that are virtual or external themselves. Missing files, and files
   * that the {@linkplain io.skerry.parallel.Trust policy} refuses, are left out. Local; opens every
   * source.
   */
  Set<Path> elementFiles();

  /** Returns whether the dataset is sparse, so that elements may be undefined. Local. */
  boolean isSparse();

  /**
   * Writes values of a type in memory; the selected elements are defined then. Members of a
   * compound that the type in memory lacks keep their values. Collective.
   *
   * @param memory the type of the values in memory
   * @param values one value for each selected element, in selection order, of {@code memory.size()}
   *     bytes each
   * @throws io.skerry.parallel.CollectiveException on all ranks if a type of one rank cannot be
   *     converted; nothing is written then
   */
  void write(Selection selection, Datatype memory, MemorySegment values);

  /**
   * Writes values of any type, with contents of variable length and references. Collective.
   *
   * @param values one value for each selected element, in selection order
   * @throws io.skerry.parallel.CollectiveException on all ranks if a value does not fit the type
   */
  void writeValues(Selection selection, List<Value> values);

  /** Writes strings of fixed or variable length. Collective. */
  void write(Selection selection, String[] texts);

  /**
   * Writes 8-bit integers; of a u8 dataset their bits. Of a dataset that does not hold numbers,
   * writes elements in the datatype of the file. Collective.
   */
  void write(Selection selection, byte[] values);

  /** Writes 16-bit integers; of a u16 dataset their bits. Collective. */
  void write(Selection selection, short[] values);

  /** Writes 32-bit integers; of a u32 dataset their bits. Collective. */
  void write(Selection selection, int[] values);

  /** Writes 64-bit integers; of a u64 dataset their bits. Collective. */
  void write(Selection selection, long[] values);

  /** Writes 32-bit floating-point numbers. Collective. */
  void write(Selection selection, float[] values);

  /** Writes 64-bit floating-point numbers. Collective. */
  void write(Selection selection, double[] values);

  /**
   * Removes elements: they are undefined then. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException if the dataset is dense
   */
  void erase(Selection selection);

  /**
   * Reads values into memory; undefined elements are read as the fill value. Collective.
   *
   * @param memory the type of the values in memory
   * @param values receives one value for each selected element, in selection order, of {@code
   *     memory.size()} bytes each; members of a compound that the dataset lacks are not changed
   * @throws io.skerry.parallel.CollectiveException on all ranks if a type of one rank cannot be
   *     converted; nothing is read then
   */
  void read(Selection selection, Datatype memory, MemorySegment values);

  /** Reads elements in the datatype of the file. Collective. */
  byte[] readBytes(Selection selection);

  /** Reads 16-bit integers; of a u16 dataset their bits. Collective. */
  short[] readShorts(Selection selection);

  /** Reads 32-bit integers; of a u32 dataset their bits. Collective. */
  int[] readInts(Selection selection);

  /** Reads 64-bit integers; of a u64 dataset their bits. Collective. */
  long[] readLongs(Selection selection);

  /** Reads 32-bit floating-point numbers. Collective. */
  float[] readFloats(Selection selection);

  /** Reads 64-bit floating-point numbers. Collective. */
  double[] readDoubles(Selection selection);

  /**
   * Reads elements in the datatype of the file, with the contents that they refer to. Collective.
   */
  StoredElements readElements(Selection selection);

  /**
   * Reads elements of any type, with contents of variable length and references. Collective.
   *
   * @return one value for each selected element, in selection order
   */
  List<Value> readValues(Selection selection);

  /**
   * Reads strings of fixed or variable length, without padding. Collective.
   *
   * @return one string for each selected element, in selection order
   * @throws UnsupportedFeatureException if the datatype is no string
   */
  List<String> readStrings(Selection selection);

  /**
   * Selects the defined elements among the selected ones; in a dense dataset all are defined. Of a
   * list of points the result keeps the order. Collective.
   *
   * @return a selection in the coordinates of the dataset; {@link Selection#none()} if none is
   *     defined
   */
  Selection defined(Selection selection);

  /**
   * The stored chunks: their addresses, sizes and bytes. Flushes first, so that they hold every
   * write. Collective; the table is local.
   *
   * @throws UnsupportedFeatureException if the dataset is not chunked
   */
  ChunkTable chunks();

  /**
   * The bytes that the dataset takes in the file by their use, the number of defined elements, the
   * order of the chunks in the file, and the estimated bytes of the same dataset with dense
   * storage. Flushes first. Collective; each rank reads the whole index, and of a sparse dataset
   * section 0 of every chunk.
   */
  StorageStatistics statistics();

  /**
   * Stores one encoded chunk of each rank, as {@link #writeChunks}. Collective.
   *
   * @param image the bytes of the stored chunk and the table of its sections
   * @param offset the coordinates of the first element of the chunk
   */
  void writeChunk(ChunkImage image, long... offset);

  /**
   * Stores encoded chunks, such as {@link ChunkTable#image} returns of a dataset with the same
   * type, chunks and filters. Flushes first; the next flush makes the chunks replace the stored
   * ones. If several ranks store a chunk, that of the highest rank is stored. Collective.
   *
   * <p>Every image is decoded before any is stored, so its filters must be installed. An image that
   * a reader would refuse is refused: a wrong number of sections or masks, wrong sizes or
   * checksums, bytes that the filters cannot decode, and of a sparse dataset locations outside the
   * extent or none at all (see {@link #erase}).
   *
   * @param images the images of this rank, by the coordinates of the first element of each chunk
   * @throws io.skerry.parallel.CollectiveException on all ranks if an image of one rank is refused,
   *     or the elements refer to contents outside the chunk; no chunk has changed then
   */
  void writeChunks(Map<List<Long>, ChunkImage> images);

  /**
   * Sets the size of the first dimension; the other dimensions are unchanged. Collective.
   *
   * @param size the size in elements, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the size exceeds the maximum, or
   *     the ranks pass different sizes
   */
  void extend(long size);

  /**
   * Sets the extent. Elements outside a smaller extent are removed: if the dataset grows again,
   * they are read as the fill value, and are undefined in a sparse dataset. Collective.
   *
   * @param extent the size of each dimension in elements, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the extent exceeds the maximum,
   *     or the ranks pass different extents
   */
  void extendTo(long... extent);
}
