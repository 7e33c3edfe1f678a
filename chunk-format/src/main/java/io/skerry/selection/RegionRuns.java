package io.skerry.selection;

import io.skerry.chunk.dataspace.SpanTree;

/**
 * The runs of a {@link SpanTree}, which has one level for each dimension. The current position has,
 * for each dimension, a node, a span of that node and a coordinate in that span. A span that
 * contains all elements of the later dimensions is a single run.
 */
final class RegionRuns implements RunSource {
  private final SpanTree tree;

  /**
   * For each dimension, the number of elements of the extent that share the coordinates up to and
   * including that dimension.
   */
  private final long[] under;

  private final SpanTree[] node;
  private final int[] span;
  private final long[] coordinate;

  /** The dimension that contains the current run; -1 before the first run. */
  private int level = -1;

  RegionRuns(SpanTree tree, Shape extent) {
    this.tree = tree;
    this.under = extent.steps();
    this.node = new SpanTree[under.length];
    this.span = new int[under.length];
    this.coordinate = new long[under.length];
  }

  @Override
  public boolean advance() {
    if (level < 0) {
      enter(0, tree);
      return true;
    }
    if (nextSpan(level)) {
      return true;
    }
    for (int d = level - 1; d >= 0; d--) {
      if (++coordinate[d] < node[d].hi(span[d])) {
        enter(d + 1, node[d].child(span[d]));
        return true;
      }
      if (nextSpan(d)) {
        return true;
      }
    }
    return false;
  }

  private boolean nextSpan(int d) {
    if (++span[d] == node[d].spans()) {
      return false;
    }
    coordinate[d] = node[d].lo(span[d]);
    settle(d);
    return true;
  }

  private void enter(int d, SpanTree under) {
    node[d] = under;
    span[d] = 0;
    coordinate[d] = under.lo(0);
    settle(d);
  }

  /** Descends from the current span to the first run in it. */
  private void settle(int d) {
    SpanTree down = node[d].child(span[d]);
    if (down.count() == under[d]) {
      level = d;
    } else {
      enter(d + 1, down);
    }
  }

  @Override
  public long offset() {
    long offset = 0;
    for (int d = 0; d <= level; d++) {
      offset += coordinate[d] * under[d];
    }
    return offset;
  }

  @Override
  public long length() {
    SpanTree at = node[level];
    return (at.hi(span[level]) - at.lo(span[level])) * under[level];
  }

  @Override
  public void restart() {
    level = -1;
  }
}
