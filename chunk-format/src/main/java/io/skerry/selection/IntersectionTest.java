package io.skerry.selection;

import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.chunk.dataspace.SpanPair;
import io.skerry.chunk.dataspace.SpanTree;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/** Checks whether two selections have a common element, without building the intersection. */
final class IntersectionTest {
  /**
   * Pairs of subtrees without a common element, compared by identity. In a test against a
   * hyperslab, a subtree that has no element in the hyperslab is paired with itself.
   */
  private final Set<SpanPair> disjoint = new HashSet<>();

  private IntersectionTest() {}

  static boolean of(Selection a, Selection b) {
    SelectionAlgebra.checkRanks(a, b);
    if (a.isEmpty() || b.isEmpty()) {
      return false;
    }
    return switch (a) {
      case AllSelection _ -> true;
      case NoneSelection _ -> false;
      case PointList points when b instanceof PointList more && more.size() < points.size() ->
          any(more, points);
      case PointList points -> any(points, b);
      case Hyperslab slab -> ofPattern(slab, b);
      case Region region ->
          b instanceof Region other
              ? new IntersectionTest().meet(region.tree(), other.tree())
              : of(b, a);
    };
  }

  private static boolean ofPattern(Hyperslab slab, Selection other) {
    return switch (other) {
      case Hyperslab that -> meet(slab.progressions(), that.progressions());
      case Region region -> new IntersectionTest().meet(region.tree(), slab.progressions());
      default -> of(other, slab);
    };
  }

  private static boolean any(PointList points, Selection other) {
    return switch (other) {
      case AllSelection _ -> true;
      case NoneSelection _ -> false;
      case PointList more -> any(points, more);
      case Region region -> any(points, region.tree());
      case Hyperslab slab -> {
        HyperslabDimension[] along = slab.progressions();
        yield IntStream.range(0, points.size()).anyMatch(p -> contains(along, points, p));
      }
    };
  }

  private static boolean contains(HyperslabDimension[] along, PointList points, int p) {
    for (int d = 0; d < along.length; d++) {
      if (!along[d].contains(points.coordinate(p, d))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether two lists have a common point. */
  private static boolean any(PointList few, PointList many) {
    Box box = few.bounds();
    if (!box.isIndexed()) {
      return any(many, few.tree());
    }
    long[] sought = few.indices(box.start(), box.size());
    Arrays.sort(sought);
    return switch (many.inside(box)) {
      case PointList near ->
          Arrays.stream(near.indices(box.start(), box.size()))
              .anyMatch(index -> Arrays.binarySearch(sought, index) >= 0);
      default -> false;
    };
  }

  private static boolean any(PointList points, SpanTree set) {
    long[] flat = points.flat();
    for (int at = 0; at < flat.length; at += points.dimensions()) {
      if (set.contains(flat, at)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether two hyperslabs intersect: they do if they intersect in every dimension. */
  private static boolean meet(HyperslabDimension[] a, HyperslabDimension[] b) {
    for (int d = 0; d < a.length; d++) {
      if (!a[d].intersects(b[d])) {
        return false;
      }
    }
    return true;
  }

  private boolean meet(SpanTree tree, HyperslabDimension[] along) {
    if (tree.depth() == 0) {
      return true;
    }
    HyperslabDimension blocks = along[along.length - tree.depth()];
    if (!blocks.intersects(tree.low(0), tree.high(0))
        || disjoint.contains(new SpanPair(tree, tree))) {
      return false;
    }
    for (int i = tree.spanEndingAfter(blocks.start()); i < tree.spans(); i++) {
      if (blocks.intersects(tree.lo(i), tree.hi(i)) && meet(tree.child(i), along)) {
        return true;
      }
    }
    disjoint.add(new SpanPair(tree, tree));
    return false;
  }

  private boolean meet(SpanTree a, SpanTree b) {
    if (a.depth() == 0) {
      return true;
    }
    if (!a.boundsIntersect(b)) {
      return false;
    }
    SpanPair pair = new SpanPair(a, b);
    if (disjoint.contains(pair)) {
      return false;
    }
    int i = a.spanEndingAfter(b.lo(0));
    int j = b.spanEndingAfter(a.lo(0));
    while (i < a.spans() && j < b.spans()) {
      boolean overlap = a.lo(i) < b.hi(j) && b.lo(j) < a.hi(i);
      if (overlap && meet(a.child(i), b.child(j))) {
        return true;
      }
      if (a.hi(i) <= b.hi(j)) {
        i++;
      } else {
        j++;
      }
    }
    disjoint.add(pair);
    return false;
  }
}
