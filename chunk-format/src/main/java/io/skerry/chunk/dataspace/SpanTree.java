package io.skerry.chunk.dataspace;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A set of elements in canonical form: sorted, disjoint spans of the first dimension, each with the
 * set of elements in the remaining dimensions, which has the same form. Adjacent spans with equal
 * sets are joined, so equal sets have equal trees. Subtrees can be shared: a box then needs one
 * span in each dimension, regardless of its size, and a regular pattern needs as many spans as the
 * sum of its counts. Immutable.
 */
public final class SpanTree {
  /** The empty set, of any rank. */
  public static final SpanTree EMPTY = new SpanTree(0, 0);

  /** The single element of rank 0: the set under each span of the last dimension. */
  public static final SpanTree POINT = new SpanTree(0, 1);

  private final int depth;
  private final long[] lo;
  private final long[] hi;

  /**
   * The set under each span; empty in the last dimension, where all entries would be {@link
   * #POINT}.
   */
  private final SpanTree[] down;

  private final long[] before;
  private final long count;
  private final int hash;
  private final long[] low;
  private final long[] high;

  private SpanTree(int depth, long count) {
    this.depth = depth;
    this.count = count;
    this.lo = new long[0];
    this.hi = lo;
    this.before = lo;
    this.low = lo;
    this.high = lo;
    this.down = new SpanTree[0];
    this.hash = (int) count;
  }

  /**
   * Creates a tree with at least one span. Takes ownership of the arrays, which must be canonical.
   *
   * @throws ArithmeticException if the set has more than 2^63-1 elements
   */
  SpanTree(int depth, long[] lo, long[] hi, SpanTree[] down) {
    this.depth = depth;
    this.lo = lo;
    this.hi = hi;
    this.down = down;
    this.before = new long[lo.length];
    this.low = new long[depth];
    this.high = new long[depth];
    Arrays.fill(low, Long.MAX_VALUE);
    low[0] = lo[0];
    high[0] = hi[hi.length - 1];
    long total = 0;
    int mix = depth;
    for (int i = 0; i < lo.length; i++) {
      before[i] = total;
      SpanTree under = child(i);
      total = Math.addExact(total, Math.multiplyExact(hi[i] - lo[i], under.count));
      mix = ((mix * 31 + Long.hashCode(lo[i])) * 31 + Long.hashCode(hi[i])) * 31 + under.hash;
      for (int d = 1; d < depth; d++) {
        low[d] = Math.min(low[d], under.low[d - 1]);
        high[d] = Math.max(high[d], under.high[d - 1]);
      }
    }
    this.count = total;
    this.hash = mix;
  }

  public int depth() {
    return depth;
  }

  public int spans() {
    return lo.length;
  }

  public long lo(int span) {
    return lo[span];
  }

  public long hi(int span) {
    return hi[span];
  }

  public SpanTree child(int span) {
    return depth == 1 ? POINT : down[span];
  }

  /** Returns the number of elements in the spans before the given span. */
  public long before(int span) {
    return before[span];
  }

  public long count() {
    return count;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** Returns whether the set equals its bounding box. The set must not be empty. */
  boolean isBox() {
    SpanTree tree = this;
    while (tree.depth > 0 && tree.lo.length == 1) {
      tree = tree.child(0);
    }
    return tree.depth == 0;
  }

  /** Returns the first coordinate in a dimension. The set must not be empty. */
  public long low(int dimension) {
    return low[dimension];
  }

  /** Returns a copy of the first coordinates in all dimensions. The set must not be empty. */
  public long[] low() {
    return low.clone();
  }

  /** Returns one past the last coordinate in a dimension. The set must not be empty. */
  public long high(int dimension) {
    return high[dimension];
  }

  /**
   * Returns a copy of the exclusive upper bounds in all dimensions: one past the last coordinate in
   * each. The set must not be empty.
   */
  public long[] high() {
    return high.clone();
  }

  /**
   * Returns the index of the first span that ends after a coordinate; {@link #spans()} if there is
   * none.
   */
  public int spanEndingAfter(long coordinate) {
    int at = Arrays.binarySearch(hi, coordinate);
    return at >= 0 ? at + 1 : -at - 1;
  }

  /** Returns whether the bounding boxes of two sets intersect. Neither set may be empty. */
  public boolean boundsIntersect(SpanTree other) {
    for (int d = 0; d < depth; d++) {
      if (low[d] >= other.high[d] || other.low[d] >= high[d]) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the element at {@code coordinates[from..]} is in the set. */
  public boolean contains(long[] coordinates, int from) {
    if (isEmpty()) {
      return false;
    }
    SpanTree tree = this;
    for (int d = 0; d < depth; d++) {
      int span = tree.spanEndingAfter(coordinates[from + d]);
      if (span == tree.spans() || tree.lo[span] > coordinates[from + d]) {
        return false;
      }
      tree = tree.child(span);
    }
    return true;
  }

  /** Returns whether two sets are equal. */
  public boolean sameAs(SpanTree other) {
    if (this == other) {
      return true;
    }
    if (hash != other.hash
        || depth != other.depth
        || count != other.count
        || !Arrays.equals(lo, other.lo)
        || !Arrays.equals(hi, other.hi)) {
      return false;
    }
    for (int i = 0; i < down.length; i++) {
      if (!down[i].sameAs(other.down[i])) {
        return false;
      }
    }
    return true;
  }

  public int hash() {
    return hash;
  }

  /**
   * Returns the set with all elements moved by an offset. No coordinate may leave the valid range.
   */
  public SpanTree shift(long[] offset) {
    return isEmpty() ? this : shift(offset, new IdentityHashMap<>());
  }

  private SpanTree shift(long[] offset, Map<SpanTree, SpanTree> done) {
    SpanTree known = done.get(this);
    if (known != null) {
      return known;
    }
    long by = offset[offset.length - depth];
    long[] newLo = new long[lo.length];
    long[] newHi = new long[lo.length];
    SpanTree[] newDown = new SpanTree[down.length];
    for (int i = 0; i < lo.length; i++) {
      newLo[i] = lo[i] + by;
      newHi[i] = hi[i] + by;
    }
    for (int i = 0; i < down.length; i++) {
      newDown[i] = down[i].shift(offset, done);
    }
    SpanTree moved = new SpanTree(depth, newLo, newHi, newDown);
    done.put(this, moved);
    return moved;
  }

  /** Returns the number of boxes that {@link #forEachBox} visits. */
  public long boxes() {
    if (depth <= 1) {
      return lo.length;
    }
    long total = 0;
    long under = 0;
    for (int i = 0; i < lo.length; i++) {
      if (i == 0 || down[i] != down[i - 1]) {
        under = down[i].boxes();
      }
      total = Math.addExact(total, under);
    }
    return total;
  }

  /**
   * Visits disjoint boxes that cover the set, in row-major order of their first elements.
   *
   * @param visitor the function that receives the starts and the exclusive ends of a box, in arrays
   *     that are reused for the next box
   */
  void forEachBox(BiConsumer<long[], long[]> visitor) {
    if (!isEmpty()) {
      forEachBox(new long[depth], new long[depth], 0, visitor);
    }
  }

  private void forEachBox(long[] start, long[] end, int level, BiConsumer<long[], long[]> visitor) {
    for (int i = 0; i < lo.length; i++) {
      start[level] = lo[i];
      end[level] = hi[i];
      if (depth == 1) {
        visitor.accept(start, end);
      } else {
        down[i].forEachBox(start, end, level + 1, visitor);
      }
    }
  }
}
