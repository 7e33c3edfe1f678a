package io.skerry.chunk.dataspace;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Applies a set operation to two {@link SpanTree}s with a sweep over the spans of each dimension.
 * The sweep descends only where both trees have elements and differ. Results for pairs of shared
 * subtrees are cached.
 */
public final class SpanMerge {
  /**
   * A set operation, defined by whether it keeps the elements that are only in the left set, only
   * in the right set, and in both.
   */
  public enum Operation {
    UNION,
    INTERSECT,
    SUBTRACT,
    XOR;

    boolean keepsLeft() {
      return this != INTERSECT;
    }

    boolean keepsRight() {
      return this == UNION || this == XOR;
    }

    boolean keepsBoth() {
      return this == UNION || this == INTERSECT;
    }
  }

  private final Operation operation;
  private final Map<SpanPair, SpanTree> done = new HashMap<>();

  private final SpanBudget budget;

  private SpanMerge(Operation operation, SpanBudget budget) {
    this.operation = operation;
    this.budget = budget;
  }

  public static SpanTree merge(Operation operation, SpanTree left, SpanTree right) {
    return merge(operation, left, right, SpanBudget.none());
  }

  public static SpanTree merge(
      Operation operation, SpanTree left, SpanTree right, SpanBudget budget) {
    return new SpanMerge(operation, budget).merge(left, right);
  }

  /** Returns the union of non-empty sets. */
  public static SpanTree union(List<SpanTree> trees) {
    SpanTree[] left = trees.toArray(SpanTree[]::new);
    Arrays.sort(left, Comparator.comparingLong(tree -> tree.lo(0)));
    int n = left.length;
    while (n > 1) {
      for (int i = 0; i < n / 2; i++) {
        left[i] = merge(Operation.UNION, left[2 * i], left[2 * i + 1]);
      }
      if (n % 2 == 1) {
        left[n / 2] = left[n - 1];
      }
      int half = (n + 1) / 2;
      Arrays.fill(left, half, n, SpanTree.EMPTY);
      n = half;
    }
    return n == 0 ? SpanTree.EMPTY : left[0];
  }

  private SpanTree merge(SpanTree left, SpanTree right) {
    if (left.isEmpty()) {
      return operation.keepsRight() ? right : SpanTree.EMPTY;
    }
    if (right.isEmpty()) {
      return operation.keepsLeft() ? left : SpanTree.EMPTY;
    }
    if (left.sameAs(right)) {
      return operation.keepsBoth() ? left : SpanTree.EMPTY;
    }
    if (!operation.keepsRight() && !left.boundsIntersect(right)) {
      return operation.keepsLeft() ? left : SpanTree.EMPTY;
    }
    SpanPair pair = new SpanPair(left, right);
    SpanTree known = done.get(pair);
    if (known == null) {
      known = sweep(left, right);
      done.put(pair, known);
    }
    return known;
  }

  private SpanTree sweep(SpanTree left, SpanTree right) {
    SpanList out = new SpanList(left.depth());
    int i = operation.keepsLeft() ? 0 : left.spanEndingAfter(right.lo(0));
    int j = operation.keepsRight() ? 0 : right.spanEndingAfter(left.lo(0));
    long at = 0;
    while ((i < left.spans() || operation.keepsRight())
        && (j < right.spans() || operation.keepsLeft())
        && (i < left.spans() || j < right.spans())) {
      boolean inLeft = i < left.spans() && left.lo(i) <= at;
      boolean inRight = j < right.spans() && right.lo(j) <= at;
      long next = Long.MAX_VALUE;
      if (i < left.spans()) {
        next = inLeft ? left.hi(i) : left.lo(i);
      }
      if (j < right.spans()) {
        next = Math.min(next, inRight ? right.hi(j) : right.lo(j));
      }
      if (inLeft && inRight) {
        out.add(at, next, merge(left.child(i), right.child(j)));
      } else if (inLeft && operation.keepsLeft()) {
        out.add(at, next, left.child(i));
      } else if (inRight && operation.keepsRight()) {
        out.add(at, next, right.child(j));
      }
      at = next;
      i += inLeft && left.hi(i) <= at ? 1 : 0;
      j += inRight && right.hi(j) <= at ? 1 : 0;
    }
    return budget.charge(out.build());
  }
}
