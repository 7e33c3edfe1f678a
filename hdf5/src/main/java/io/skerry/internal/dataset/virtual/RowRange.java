package io.skerry.internal.dataset.virtual;

import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;

/**
 * The elements of a selection from one index of the first dimension to another. Only single blocks
 * are cut; the range of any other selection is the selection itself.
 *
 * @param selection the elements of the range
 * @param before the number of elements of the selection before the range
 */
record RowRange(Selection selection, long before) {
  /**
   * Returns a range that contains the selected elements within a range of row-major indices.
   *
   * @param shape the extent of the dataset
   * @param first the first row-major index
   * @param end the end of the indices, exclusive
   */
  static RowRange ofIndices(Selection selection, Shape shape, long first, long end) {
    long row = 1;
    for (int d = 1; d < shape.rank(); d++) {
      row *= shape.extent(d);
    }
    return of(selection, first / row, Math.ceilDiv(end, row));
  }

  /**
   * Returns a range that contains some consecutive elements of the selection.
   *
   * @param first the number of elements before them
   * @param end that number and the number of the elements
   */
  static RowRange ofNumbers(Selection selection, long first, long end) {
    if (!(selection instanceof Hyperslab slab && SelectionSets.isOneBlock(slab))) {
      return new RowRange(selection, 0);
    }
    long row = row(slab);
    long start = slab.startAt(0);
    return of(selection, start + first / row, start + Math.ceilDiv(end, row));
  }

  private static RowRange of(Selection selection, long from, long to) {
    if (!(selection instanceof Hyperslab slab && SelectionSets.isOneBlock(slab))) {
      return new RowRange(selection, 0);
    }
    long start = Math.max(from, slab.startAt(0));
    long end = Math.min(to, slab.startAt(0) + slab.blockAt(0));
    if (start >= end) {
      return new RowRange(Selection.none(), 0);
    }
    long[] starts = new long[slab.dimensions()];
    long[] sizes = new long[starts.length];
    for (int d = 0; d < starts.length; d++) {
      starts[d] = d == 0 ? start : slab.startAt(d);
      sizes[d] = d == 0 ? end - start : slab.blockAt(d);
    }
    return new RowRange(Selection.box(starts, sizes), (start - slab.startAt(0)) * row(slab));
  }

  /** Returns the number of elements at one index of the first dimension. */
  private static long row(Hyperslab slab) {
    long elements = 1;
    for (int d = 1; d < slab.dimensions(); d++) {
      elements *= slab.blockAt(d);
    }
    return elements;
  }
}
