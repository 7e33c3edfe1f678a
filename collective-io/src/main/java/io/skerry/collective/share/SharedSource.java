package io.skerry.collective.share;

import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.selection.Shape;
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

  /** Returns the size of an element in the file, in bytes, or an estimate of it. */
  int elementSize();

  /**
   * Returns the needed elements as slices of chunks, in any order; slices of the same chunk may
   * overlap.
   */
  List<ChunkSlice> slices();

  /** Reads all needed elements. Called if no other rank needs any of their chunks. */
  void readAlone();
}
