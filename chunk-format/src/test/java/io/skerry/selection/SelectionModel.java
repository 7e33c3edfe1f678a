package io.skerry.selection;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A selection in a small extent as a plain list of row-major indices: the model with which {@link
 * Selection} is compared. Shares no code with it.
 *
 * @param sizes the extent
 * @param order the elements in the order of the selection
 * @param isList true if order and repetitions matter; a set is ascending
 */
record SelectionModel(long[] sizes, int[] order, boolean isList) {
  static int elements(long[] sizes) {
    return (int) Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
  }

  /** Returns the elements whose index satisfies a condition. */
  static SelectionModel of(long[] sizes, IntPredicate in) {
    int[] order = IntStream.range(0, elements(sizes)).filter(in).toArray();
    return new SelectionModel(sizes, order, false);
  }

  static SelectionModel of(long[] sizes, BitSet set) {
    return of(sizes, set::get);
  }

  /** Returns the elements of a pattern; a count or block of -1 is unlimited. */
  static SelectionModel pattern(
      long[] sizes, long[] start, long[] stride, long[] count, long[] block) {
    return of(
        sizes,
        index -> {
          long[] at = coordinates(sizes, index);
          for (int d = 0; d < at.length; d++) {
            boolean in = false;
            for (long b = 0; (count[d] < 0 || b < count[d]) && b <= sizes[d]; b++) {
              long from = start[d] + b * stride[d];
              in |= at[d] >= from && (block[d] < 0 || at[d] < from + block[d]);
            }
            if (!in) {
              return false;
            }
          }
          return true;
        });
  }

  static SelectionModel points(long[] sizes, long[][] points) {
    int[] order = Arrays.stream(points).mapToInt(point -> index(sizes, point)).toArray();
    return new SelectionModel(sizes, order, points.length > 0);
  }

  static long[] coordinates(long[] sizes, int index) {
    long[] at = new long[sizes.length];
    int rest = index;
    for (int d = at.length - 1; d >= 0; d--) {
      at[d] = rest % sizes[d];
      rest /= (int) sizes[d];
    }
    return at;
  }

  static int index(long[] sizes, long[] at) {
    long index = 0;
    for (int d = 0; d < sizes.length; d++) {
      index = index * sizes[d] + at[d];
    }
    return (int) index;
  }

  int count() {
    return order.length;
  }

  BitSet set() {
    BitSet set = new BitSet();
    Arrays.stream(order).forEach(set::set);
    return set;
  }

  SelectionModel intersect(SelectionModel other) {
    return keep(other.set()::get);
  }

  SelectionModel subtract(SelectionModel other) {
    BitSet theirs = other.set();
    return keep(index -> !theirs.get(index));
  }

  private SelectionModel keep(IntPredicate which) {
    int[] kept = Arrays.stream(order).filter(which).toArray();
    return new SelectionModel(sizes, kept, isList && kept.length > 0);
  }

  SelectionModel union(SelectionModel other) {
    BitSet both = set();
    both.or(other.set());
    return of(sizes, both);
  }

  SelectionModel symmetricDifference(SelectionModel other) {
    BitSet one = set();
    one.xor(other.set());
    return of(sizes, one);
  }

  /** Returns the elements with mapped coordinates in another extent. */
  SelectionModel map(long[] newSizes, java.util.function.UnaryOperator<long[]> where) {
    int[] moved =
        Arrays.stream(order)
            .map(index -> index(newSizes, where.apply(coordinates(sizes, index))))
            .toArray();
    return new SelectionModel(newSizes, moved, isList);
  }

  /** Returns all coordinates, one element after the other. */
  long[] flat() {
    return Arrays.stream(order)
        .boxed()
        .flatMapToLong(index -> Arrays.stream(coordinates(sizes, index)))
        .toArray();
  }

  /** Returns the least coordinate of each dimension. */
  long[] low() {
    return IntStream.range(0, sizes.length).mapToLong(d -> bound(d, false)).toArray();
  }

  /** Returns the greatest coordinate of each dimension. */
  long[] high() {
    return IntStream.range(0, sizes.length).mapToLong(d -> bound(d, true)).toArray();
  }

  private long bound(int d, boolean greatest) {
    var along = Arrays.stream(order).mapToLong(index -> coordinates(sizes, index)[d]);
    return (greatest ? along.max() : along.min()).orElseThrow();
  }

  /**
   * Returns whether another selection has the same elements in the same order, with coordinates
   * relative to the lowest corner of each selection.
   */
  boolean hasShapeOf(SelectionModel other) {
    if (count() != other.count() || count() == 0) {
      return count() == other.count();
    }
    int rank = Math.max(sizes.length, other.sizes.length);
    long[] low = low();
    long[] otherLow = other.low();
    for (int i = 0; i < count(); i++) {
      long[] mine = fromCorner(coordinates(sizes, order[i]), low, rank);
      long[] theirs = fromCorner(coordinates(other.sizes, other.order[i]), otherLow, rank);
      if (!Arrays.equals(mine, theirs)) {
        return false;
      }
    }
    return true;
  }

  private static long[] fromCorner(long[] at, long[] low, int rank) {
    long[] relative = new long[rank];
    for (int d = 0; d < at.length; d++) {
      relative[rank - at.length + d] = at[d] - low[d];
    }
    return relative;
  }
}
