package io.skerry.chunk.dataspace;

import java.util.Arrays;

/** Collects the spans of one {@link SpanTree} node in ascending order, joining equal neighbours. */
public final class SpanList {
  private final int depth;
  private long[] lo;
  private long[] hi;
  private SpanTree[] down;
  private int spans;

  /**
   * @param depth dimensions of the node, its own included
   */
  public SpanList(int depth) {
    this(depth, 4);
  }

  /**
   * @param depth dimensions of the node, its own included
   * @param capacity spans to have room for
   */
  public SpanList(int depth, int capacity) {
    this.depth = depth;
    this.lo = new long[Math.max(1, capacity)];
    this.hi = new long[lo.length];
    this.down = new SpanTree[depth == 1 ? 0 : lo.length];
  }

  /** Adds a span that begins at or after the end of the last one. Empty sets are left out. */
  public SpanList add(long from, long to, SpanTree under) {
    if (from >= to || under.isEmpty()) {
      return this;
    }
    if (spans > 0 && hi[spans - 1] == from && (depth == 1 || down[spans - 1].sameAs(under))) {
      hi[spans - 1] = to;
      return this;
    }
    if (spans == lo.length) {
      lo = Arrays.copyOf(lo, spans * 2);
      hi = Arrays.copyOf(hi, spans * 2);
      down = depth == 1 ? down : Arrays.copyOf(down, spans * 2);
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
