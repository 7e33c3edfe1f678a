package io.skerry.internal.dataset.virtual.place;

import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;

/**
 * A range of consecutive elements of a selection, possibly with some adjacent elements. Only
 * hyperslabs are cut; the range of any other selection is the selection itself.
 *
 * @param selection the elements of the range
 * @param before the number of elements of the selection before the range
 */
public record RowRange(Selection selection, long before) {
  /**
   * Returns a range that contains the selected elements within a range of row-major indices.
   *
   * @param shape the extent of the dataset
   * @param first the first row-major index
   * @param end the end of the range, exclusive; greater than {@code first}
   */
  public static RowRange ofIndices(Selection selection, Shape shape, long first, long end) {
    return selection instanceof Hyperslab slab && !slab.isUnlimited() && !slab.isEmpty()
        ? new Cut(slab).indices(shape, first, end - 1)
        : new RowRange(selection, 0);
  }

  /**
   * Returns a range that contains the selected elements with the given numbers, counted from 0.
   *
   * @param first the number of the first element
   * @param end the end of the numbers, exclusive; greater than {@code first}
   */
  public static RowRange ofNumbers(Selection selection, long first, long end) {
    return selection instanceof Hyperslab slab && !slab.isUnlimited() && !slab.isEmpty()
        ? new Cut(slab).numbers(first, end - 1)
        : new RowRange(selection, 0);
  }

  /** Returns whether the range is a hyperslab with more runs of elements than the given number. */
  public boolean hasMoreRunsThan(long most) {
    if (!(selection instanceof Hyperslab slab) || slab.isUnlimited() || slab.isEmpty()) {
      return false;
    }
    long left = most;
    for (int d = 0; d < slab.dimensions(); d++) {
      left /= slab.countAt(d);
      left /= d < slab.dimensions() - 1 ? slab.blockAt(d) : 1;
    }
    return left == 0;
  }

  /** A hyperslab that is cut in one dimension after the other, beginning with the first. */
  private static final class Cut {
    private final HyperslabDimension[] along;

    /** For each dimension, the number of elements at one of its indices. */
    private final long[] inner;

    private long before;

    Cut(Hyperslab slab) {
      along = SelectionSets.dimensions(slab);
      inner = new long[along.length];
      long elements = 1;
      for (int d = along.length - 1; d >= 0; d--) {
        inner[d] = elements;
        elements *= along[d].count() * along[d].block();
      }
    }

    RowRange indices(Shape shape, long first, long last) {
      long row = 1;
      for (int d = 1; d < along.length; d++) {
        row *= shape.extent(d);
      }
      long from = first;
      long to = last;
      for (int d = 0; d < along.length; d++) {
        boolean single = from / row == to / row;
        long taken = along[d].elementsBelow(from / row);
        long end = along[d].elementsBelow(to / row + 1);
        if (taken == end) {
          return new RowRange(Selection.none(), 0);
        }
        keep(d, taken, end);
        if (!single) {
          break;
        }
        from %= row;
        to %= row;
        row /= d + 1 < along.length ? shape.extent(d + 1) : 1;
      }
      return range();
    }

    RowRange numbers(long first, long last) {
      long from = first;
      long to = last;
      for (int d = 0; d < along.length; d++) {
        long index = from / inner[d];
        long lastIndex = to / inner[d];
        keep(d, index, lastIndex + 1);
        if (index != lastIndex) {
          break;
        }
        from %= inner[d];
        to %= inner[d];
      }
      return range();
    }

    /**
     * Keeps a range of the selected indices of a dimension. If the range spans several blocks,
     * keeps the first and the last block entirely.
     *
     * @param from the number of the first index to keep, counted from 0
     * @param end the end of the range, exclusive
     */
    private void keep(int d, long from, long end) {
      long block = along[d].block();
      long first = from / block;
      long blocks = Math.ceilDiv(end, block) - first;
      long skipped = blocks == 1 ? from : first * block;
      before += skipped * inner[d];
      along[d] =
          blocks == 1
              ? new HyperslabDimension(along[d].startOf(first) + from % block, 1, 1, end - from)
              : new HyperslabDimension(
                  along[d].startOf(first), along[d].stride(), blocks, along[d].block());
    }

    private RowRange range() {
      long[][] parameters = new long[4][along.length];
      for (int d = 0; d < along.length; d++) {
        parameters[0][d] = along[d].start();
        parameters[1][d] = along[d].stride();
        parameters[2][d] = along[d].count();
        parameters[3][d] = along[d].block();
      }
      return new RowRange(
          SelectionSets.hyperslab(parameters[0], parameters[1], parameters[2], parameters[3]),
          before);
    }
  }
}
