package io.skerry.selection;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.RunSetSpans;
import io.skerry.chunk.dataspace.SpanBudget;
import io.skerry.chunk.dataspace.SpanTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * An ordered list of points, which may contain a point more than once. Values are read and written
 * in the order of the list. Immutable.
 */
public final class PointList implements Selection {
  private final int rank;
  private final int size;
  private final long[] flat;
  private final Box bounds;

  private PointList(int rank, long[] flat, Box bounds) {
    this.rank = rank;
    this.size = flat.length / rank;
    this.flat = flat;
    this.bounds = bounds;
  }

  /**
   * Returns a selection of points, or {@link NoneSelection#NONE} if the array is empty. Takes
   * ownership of the array, which contains the coordinates of one point after the other. Local,
   * thread-safe.
   *
   * @throws IllegalArgumentException if the rank is not 1 to 32, the number of coordinates is not a
   *     multiple of the rank, or a coordinate is negative or 2^63 - 1
   */
  static Selection of(int rank, long[] flat) {
    if (rank < 1 || rank > Shape.MAX_RANK || flat.length % rank != 0) {
      throw new IllegalArgumentException(
          "points: rank=" + rank + " coordinates=" + flat.length + " allowedRank=1..32");
    }
    return flat.length == 0 ? NoneSelection.NONE : new PointList(rank, flat, boundsOf(rank, flat));
  }

  private static Box boundsOf(int rank, long[] flat) {
    long[] low = new long[rank];
    long[] high = new long[rank];
    for (int d = 0; d < rank; d++) {
      long least = flat[d];
      long greatest = flat[d];
      for (int i = d; i < flat.length; i += rank) {
        least = Math.min(least, flat[i]);
        greatest = Math.max(greatest, flat[i]);
      }
      if (least < 0 || greatest == Long.MAX_VALUE) {
        throw new IllegalArgumentException(
            "coordinate of a point: dimension="
                + d
                + " least="
                + least
                + " greatest="
                + greatest
                + " allowed=0..2^63-2");
      }
      low[d] = least;
      high[d] = greatest + 1;
    }
    return new Box(low, high);
  }

  /**
   * Returns the number of points; repeated points count each time. Local, thread-safe; does not
   * fail.
   */
  public int size() {
    return size;
  }

  /** Returns the number of dimensions. Local, thread-safe; does not fail. */
  public int dimensions() {
    return rank;
  }

  /**
   * Returns the coordinate of a point in a dimension. Local, thread-safe.
   *
   * @param point the number of the point, from 0
   * @param dimension the number of the dimension, from 0
   * @throws IndexOutOfBoundsException if there is no such point or dimension
   */
  public long coordinate(int point, int dimension) {
    return flat[Objects.checkIndex(point, size) * rank + Objects.checkIndex(dimension, rank)];
  }

  /**
   * Returns the coordinates, one point after the other. The array is not a copy and must not be
   * changed.
   */
  long[] flat() {
    return flat;
  }

  @Override
  public OptionalInt rank() {
    return OptionalInt.of(rank);
  }

  @Override
  public boolean isEmpty() {
    return false;
  }

  /** Returns the bounding box of the points. */
  Box bounds() {
    return bounds;
  }

  /** Returns the points that are in a set, or those that are not, in the same order. */
  Selection filter(SpanTree set, Keep keep) {
    long[] kept = new long[flat.length];
    int n = 0;
    for (int i = 0; i < flat.length; i += rank) {
      if (set.contains(flat, i) == (keep == Keep.INSIDE)) {
        System.arraycopy(flat, i, kept, n, rank);
        n += rank;
      }
    }
    return of(rank, Arrays.copyOf(kept, n));
  }

  /** Returns the points within a box, in the same order. */
  Selection inside(Box box) {
    return filter(Selection.box(box.start(), box.size()).within(box), Keep.INSIDE);
  }

  /** The points that {@link #filter} keeps: those in the set, or those outside it. */
  enum Keep {
    INSIDE,
    OUTSIDE
  }

  /**
   * Visits the points in the order of the list. Consecutive points form a run if their last
   * coordinates ascend by 1 and their other coordinates are equal.
   */
  void forEachRun(Selection.RunVisitor visitor) {
    long[] start = new long[rank];
    int i = 0;
    while (i < flat.length) {
      int next = i + rank;
      while (next < flat.length && follows(next)) {
        next += rank;
      }
      System.arraycopy(flat, i, start, 0, rank);
      visitor.run(start, (next - i) / rank);
      i = next;
    }
  }

  private boolean follows(int at) {
    for (int d = 0; d < rank - 1; d++) {
      if (flat[at + d] != flat[at - rank + d]) {
        return false;
      }
    }
    return flat[at + rank - 1] == flat[at - 1] + 1;
  }

  /** Returns the points as a set. */
  SpanTree tree() {
    if (!bounds.isIndexed()) {
      return scatteredTree();
    }
    long[] size = bounds.size();
    return RunSetSpans.of(RunSet.ofIndices(indices(bounds.start(), size)), size)
        .shift(bounds.start());
  }

  /** Returns, for each point, its row-major index in a box that contains all points. */
  long[] indices(long[] origin, long[] size) {
    long[] index = new long[size()];
    for (int p = 0; p < index.length; p++) {
      long at = 0;
      for (int d = 0; d < rank; d++) {
        at = at * size[d] + flat[p * rank + d] - origin[d];
      }
      index[p] = at;
    }
    return index;
  }

  /** Returns the points as a set; used if their bounding box is too large for row-major indices. */
  private SpanTree scatteredTree() {
    List<Box> single = new ArrayList<>(size());
    for (int i = 0; i < flat.length; i += rank) {
      long[] start = Arrays.copyOfRange(flat, i, i + rank);
      single.add(new Box(start, Arrays.stream(start).map(c -> c + 1).toArray()));
    }
    return SelectionSets.union(single, SpanBudget.none());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PointList that && rank == that.rank && Arrays.equals(flat, that.flat);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(flat) * 31 + rank;
  }

  @Override
  public String toString() {
    return size() + " points in " + bounds;
  }
}
