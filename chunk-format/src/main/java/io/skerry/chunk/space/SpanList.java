package io.skerry.chunk.space;

import java.util.Arrays;

/** Collects the spans of one {@link SpanTree} node in ascending order, joining equal neighbours. */
final class SpanList {
  private final int depth;
  private long[] lo = new long[4];
  private long[] hi = new long[4];
  private SpanTree[] down;
  private int spans;

  /**
   * @param depth dimensions of the node, its own included
   */
  SpanList(int depth) {
    this.depth = depth;
    this.down = new SpanTree[depth == 1 ? 0 : 4];
  }

  /** Adds a span that begins at or after the end of the last one. Empty sets are left out. */
  SpanList add(long from, long to, SpanTree under) {
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

  SpanTree build() {
    if (spans == 0) {
      return SpanTree.EMPTY;
    }
    return new SpanTree(
        depth,
        Arrays.copyOf(lo, spans),
        Arrays.copyOf(hi, spans),
        depth == 1 ? down : Arrays.copyOf(down, spans));
  }
}
