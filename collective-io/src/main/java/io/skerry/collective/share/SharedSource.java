package io.skerry.collective.share;

import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A chunked dataset that is the source of a virtual dataset, and the elements that this rank needs
 * from it. All methods are local.
 */
public interface SharedSource {
  /**
   * Returns a string that is equal on two ranks if and only if they can read elements for each
   * other. It contains the path of the file, the path of the dataset, and its datatype.
   */
  String key();

  /** Returns the grid that divides the dataset into chunks. */
  ChunkGrid grid();

  /** Returns the extent, in elements. */
  Shape extent();

  /** Returns the size of an element in the file, in bytes. */
  int elementSize();

  /**
   * Returns the needed elements as slices of chunks, in any order; slices of the same chunk may
   * overlap.
   */
  List<ChunkSlice> slices();

  /** Reads all needed elements. Called if no other rank needs any of their chunks. */
  void readAlone();

  /**
   * Reads elements in the file datatype.
   *
   * @param selection the elements, within the extent, each of them once
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
