package io.skerry.collective.share;

import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;

/** A source from which this rank needs values of a fixed size. All methods are local. */
public interface SharedValues extends SharedSource {
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
