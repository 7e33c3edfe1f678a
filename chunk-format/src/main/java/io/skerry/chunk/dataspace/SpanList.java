package io.skerry.chunk.dataspace;

import java.util.Arrays;

/**
 * Collects the spans of a {@link SpanTree} node in ascending order and joins adjacent spans whose
 * sets are equal.
 */
public final class SpanList {
  private final int depth;
  private long[] lo;
  private long[] hi;
  private SpanTree[] down;
  private int spans;

  /**
   * Creates an empty list.
   *
   * @param depth number of dimensions that the node covers, at least 1
   */
  public SpanList(int depth) {
    this(depth, 4);
  }

  /**
   * Creates an empty list.
   *
   * @param depth number of dimensions that the node covers, at least 1
   * @param capacity expected number of spans; more may be added
   */
  public SpanList(int depth, int capacity) {
    this.depth = depth;
    this.lo = new long[Math.max(1, capacity)];
    this.hi = new long[lo.length];
    this.down = new SpanTree[depth == 1 ? 0 : lo.length];
  }

  /**
   * Adds a span that starts at or after the end of the last one. An empty span, or one whose set is
   * empty, is ignored.
   *
   * @param from first coordinate
   * @param to one past the last coordinate
   * @param under the set of elements in the remaining dimensions
   * @throws ArithmeticException if the list would have more than about 2^30 spans
   */
  public SpanList add(long from, long to, SpanTree under) {
    if (from >= to || under.isEmpty()) {
      return this;
    }
    if (spans > 0 && hi[spans - 1] == from && (depth == 1 || down[spans - 1].sameAs(under))) {
      hi[spans - 1] = to;
      return this;
    }
    if (spans == lo.length) {
      int larger = Math.multiplyExact(spans, 2);
      lo = Arrays.copyOf(lo, larger);
      hi = Arrays.copyOf(hi, larger);
      down = depth == 1 ? down : Arrays.copyOf(down, larger);
    }
    lo[spans] = from;
    hi[spans] = to;
    if (depth > 1) {
      down[spans] = under;
    }
    spans++;
    return this;
  }

  public SpanTree build() {
    if (spans == 0) {
      return SpanTree.EMPTY;
    }
    boolean fits = spans == lo.length;
    return new SpanTree(
        depth,
        fits ? lo : Arrays.copyOf(lo, spans),
        fits ? hi : Arrays.copyOf(hi, spans),
        fits || depth == 1 ? down : Arrays.copyOf(down, spans));
  }
}
