package io.skerry.collective.share;

import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A chunked dataset of another file, and the elements of it that this rank wants. All methods are
 * local.
 */
public interface SharedSource {
  /**
   * Returns a text that is equal on two ranks exactly if one of them can read elements for the
   * other: it contains the path of the file, the path of the dataset and its datatype.
   */
  String key();

  /** Returns the division into chunks. */
  ChunkGrid grid();

  /** Returns the extent, in elements. */
  Shape extent();

  /** Returns the size of an element in the file, in bytes. */
  int elementSize();

  /** Returns the wanted elements, in any order; slices of the same chunk may overlap. */
  List<ChunkSlice> slices();

  /** Reads all wanted elements, if no other rank wants any of their chunks. */
  void readAlone();

  /**
   * Reads elements in the file datatype.
   *
   * @param selection elements within the extent, as a set
   * @param into memory for exactly these elements, in row-major order
   */
  void read(Selection selection, MemorySegment into);

  /**
   * Receives the values of a slice.
   *
   * @param slice the index of the slice
   * @param values the values in the file datatype, in ascending order of the elements of the chunk;
   *     valid only during the call
   */
  void take(int slice, MemorySegment values);
}
