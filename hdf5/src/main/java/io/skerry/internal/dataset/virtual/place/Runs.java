package io.skerry.internal.dataset.virtual.place;

import io.skerry.selection.Box;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Runs of elements, in the row-major order of the virtual dataset.
 *
 * @param start the row-major index of the first element of each run
 * @param length the number of elements of each run
 * @param place the position of each run in the packed values, in elements
 */
public record Runs(long[] start, long[] length, long[] place) {
  /** Returns the given runs; each array consists of a start, a length and a place. */
  public static Runs of(List<long[]> runs) {
    return new Runs(column(runs, 0), column(runs, 1), column(runs, 2));
  }

  private static long[] column(List<long[]> runs, int which) {
    long[] column = new long[runs.size()];
    for (int i = 0; i < column.length; i++) {
      column[i] = runs.get(i)[which];
    }
    return column;
  }

  /**
   * Returns the run of a selection that is a single block of consecutive elements; empty for any
   * other selection, and for one that exceeds the extent.
   *
   * @param selection a resolved selection
   * @param shape the extent of the dataset
   */
  public static Optional<Runs> ofBlock(Selection selection, Shape shape) {
    if (!(selection instanceof Hyperslab slab) || !SelectionSets.isOneBlock(slab)) {
      return Optional.empty();
    }
    Box box = SelectionSets.bounds(slab);
    for (int d = 0; d < shape.rank(); d++) {
      if (box.end(d) > shape.extent(d)) {
        return Optional.empty();
      }
    }
    long length = 1;
    int d = shape.rank() - 1;
    while (d >= 0 && box.size(d) == shape.extent(d)) {
      length *= box.size(d);
      d--;
    }
    if (d >= 0) {
      length *= box.size(d);
      d--;
    }
    while (d >= 0 && box.size(d) == 1) {
      d--;
    }
    return d < 0
        ? Optional.of(
            new Runs(new long[] {linear(box.start(), shape)}, new long[] {length}, new long[] {0}))
        : Optional.empty();
  }

  /** Visits the parts of the runs that are in a range; the runs must not overlap. */
  public void forEachWithin(long first, long end, RunAction action) {
    for (int i = from(first); i < start.length && start[i] < end; i++) {
      long begin = Math.max(first, start[i]);
      long stop = Math.min(end, start[i] + length[i]);
      if (begin < stop) {
        action.apply(begin, stop - begin, place[i] + begin - start[i]);
      }
    }
  }

  /** Returns the row-major index of the first element of the first run. There must be a run. */
  public long first() {
    return start[0];
  }

  /** Returns the end of the last run, exclusive. There must be a run. */
  public long end() {
    return start[start.length - 1] + length[length.length - 1];
  }

  /** Returns whether there are no runs. */
  public boolean isEmpty() {
    return start.length == 0;
  }

  /** Returns whether a run contains an element of a range. */
  public boolean meets(long first, long end) {
    int at = from(first);
    return at < start.length && start[at] < end;
  }

  /** Returns the index of the first run that ends after the given element. */
  private int from(long element) {
    int found = Arrays.binarySearch(start, element);
    int at = found >= 0 ? found : -found - 1;
    return at > 0 && start[at - 1] + length[at - 1] > element ? at - 1 : at;
  }

  /** Processes a run of elements; the parameters are those of {@link Runs}. */
  @FunctionalInterface
  public interface RunAction {
    void apply(long start, long length, long place);
  }

  /** Returns the row-major index of an element. */
  public static long linear(long[] at, Shape shape) {
    long index = 0;
    for (int d = 0; d < at.length; d++) {
      index = index * shape.extent(d) + at[d];
    }
    return index;
  }
}
