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
 * <p>Reads and writes are collective; each rank gives its own selection, {@link Selection#none()}
 * if it has nothing to do. Values are packed in selection order. Where ranks write the same element
 * in one call, the highest rank wins.
 */
public non-sealed interface Dataset extends H5Object {
  /** Current and maximum extent. Local. */
  Shape shape();

  /**
   * Returns whether it has a type but no element, not even a single one: its dataspace is null.
   * Local.
   */
  boolean isNull();

  /** Type of an element in the file. Local. */
  Datatype datatype();

  /** What elements are that nobody wrote: one element as it stands in the file. Local. */
  byte[] fillValue();

  /**
   * The same dataset for one rank that needs no other. Its {@code read} methods and {@link
   * #defined} are local: any thread may call them, at any time, also while another is in a
   * collective operation. They give what the last flush has stored, and what has been overwritten
   * in place since.
   *
   * <p>{@code write} is local too, for elements that have a place of fixed size: those of
   * contiguous datasets that have their space, and those of dense chunks without filters that are
   * stored. It goes straight to the file; other ranks see it after the next flush, and what several
   * write to the same elements between two flushes is any of the values. There must be no elements
   * that were written together and not flushed. Everything else is refused with an {@link
   * IllegalStateException} before anything is written: sparse and filtered chunks have no fixed
   * size, so that the ranks have to find their places together.
   *
   * <p>Whatever flushes counts: {@link H5File#flush}, what is said to flush first or to store what
   * was not flushed, a read of chunks by all ranks together, a change of extent that cuts something
   * off, and a write that would leave more unstored than {@link
   * io.skerry.parallel.FileOptions#dirtyLimit} allows. The extent is the present one.
   *
   * <p>A rank that is alone with its file needs none of this: any thread may read and write, and
   * what it gets is the dataset itself, where reads see every write.
   */
  Dataset independent();

  /** How the dataset is stored, filters included. Local. */
  StorageInfo storage();

  /**
   * What the dataset takes in the file, as of the last flush. Local; reads the whole chunk index.
   */
  StorageUsage usage();

  /**
   * The reasons why other files that hold elements of the dataset are refused, external data files
   * and sources of a virtual dataset, each one that a read of all elements would fail with: text
   * for people that names the file. Empty if the dataset names no other file, or none is refused by
   * the {@linkplain io.skerry.parallel.Trust policy} of its file. Local.
   */
  List<String> refusedFiles();

  /**
   * Other files that hold elements of the dataset: external data files, files of virtual sources,
   * and those of sources that are virtual or external themselves. Files that do not exist or that
   * the {@linkplain io.skerry.parallel.Trust policy} of the file refuses are left out. Local; opens
   * every source.
   */
  Set<Path> elementFiles();

  /** Returns whether elements can be undefined. Local. */
  boolean isSparse();

  /**
   * Writes values that are in the given memory type, converted as by {@link
   * io.skerry.chunk.datatype.conversion.Conversion}; the elements are defined from now on. Members
   * of a compound that the memory type does not have stay as they are. Collective.
   *
   * @param values one per selected element, in selection order; where chunks keep content of
   *     variable length, with it, as {@link io.skerry.chunk.content.PackedContent}
   * @throws io.skerry.parallel.CollectiveException on all ranks if a rank's type does not convert;
   *     nothing is written then
   */
  void write(Selection selection, Datatype memory, MemorySegment values);

  /**
   * Writes values of any type, with content of variable length and references. Collective.
   *
   * @param values one per selected element, in selection order
   */
  void writeValues(Selection selection, List<Value> values);

  /** Writes texts, fixed or variable-length. Collective. */
  void write(Selection selection, String[] texts);

  /** Writes bytes: u8 or i8 values, or elements as they are in the file. Collective. */
  void write(Selection selection, byte[] values);

  /** Writes 16-bit integers; for a u16 dataset their bits. Collective. */
  void write(Selection selection, short[] values);

  /** Writes 32-bit integers; for a u32 dataset their bits. Collective. */
  void write(Selection selection, int[] values);

  /** Writes 64-bit integers; for a u64 dataset their bits. Collective. */
  void write(Selection selection, long[] values);

  /** Writes 32-bit floating-point numbers. Collective. */
  void write(Selection selection, float[] values);

  /** Writes 64-bit floating-point numbers. Collective. */
  void write(Selection selection, double[] values);

  /**
   * Makes elements undefined. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException if the dataset is dense
   */
  void erase(Selection selection);

  /**
   * Reads values in the given memory type, converted as by {@link
   * io.skerry.chunk.datatype.conversion.Conversion}. Collective.
   *
   * @param values receives one per selected element, in selection order; members of a compound that
   *     the dataset does not have stay as they are
   * @throws io.skerry.parallel.CollectiveException on all ranks if the type does not convert on
   *     one; nothing is read then
   */
  void read(Selection selection, Datatype memory, MemorySegment values);

  /** Reads elements as they are in the file. Collective. */
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

  /** Reads elements as they are stored, with what they lead to. Collective. */
  StoredElements readElements(Selection selection);

  /**
   * Reads elements of any type as values, variable-length content and references included.
   * Collective.
   */
  List<Value> readValues(Selection selection);

  /**
   * Reads texts, fixed or variable-length, without their padding. Collective.
   *
   * @throws UnsupportedFeatureException if the elements are no text
   */
  List<String> readStrings(Selection selection);

  /**
   * Which of the selected elements are defined; of a dense dataset all. Of a list of points those
   * that are defined, in the order of the list. Collective.
   *
   * @return a selection in the coordinates of the dataset
   */
  Selection defined(Selection selection);

  /**
   * The stored chunks: where they are, and their bytes. What was not flushed is stored first, so
   * that they are what a read would find. Collective; what it returns is local.
   *
   * @throws UnsupportedFeatureException if the dataset is not chunked
   */
  ChunkTable chunks();

  /**
   * What the dataset takes in the file and what for: bytes by section, defined elements, how the
   * chunks lie, and what it would take dense. What was not flushed is stored first. Collective;
   * every rank reads the whole index for itself, and of a sparse dataset the locations in all
   * chunks.
   */
  StorageStatistics statistics();

  /**
   * Stores a chunk that was encoded elsewhere. Collective; as {@link #writeChunks} with one chunk
   * on each rank.
   *
   * @param image its bytes as they are to stand in the file, and how they divide
   * @param offset coordinates of its first element
   */
  void writeChunk(ChunkImage image, long... offset);

  /**
   * Stores chunks that were encoded elsewhere, such as those that {@link ChunkTable#image} gave of
   * a dataset with the same type, chunks and filters. Collective; each rank has its own, or none.
   * What was written before is flushed first; the chunks replace what was stored, with the next
   * flush. Where ranks write the same chunk, the highest rank wins.
   *
   * <p>Every image is decoded before any is stored, so its filters must be installed, and one that
   * a reader would refuse is refused: a wrong number of sections or masks, sizes or checksums that
   * do not fit, bytes that the filters do not turn into a chunk, and of a sparse dataset locations
   * outside the extent or none at all (see {@link #erase}).
   *
   * @param images this rank's, by the coordinates of the first element of each chunk
   * @throws io.skerry.parallel.CollectiveException if an image of one rank is refused, or the
   *     elements lead to content elsewhere (variable length); no chunk has changed then
   */
  void writeChunks(Map<List<Long>, ChunkImage> images);

  /**
   * Gives the first dimension a greater size; the other dimensions stay. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException if it exceeds the maximum or the ranks disagree
   */
  void extend(long size);

  /**
   * Gives the dataset another extent. Where it shrinks, elements outside are lost: if it grows
   * again, they read as the fill value, and those of a sparse dataset are undefined. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException if it exceeds the maximum or the ranks disagree
   */
  void extendTo(long... extent);
}
