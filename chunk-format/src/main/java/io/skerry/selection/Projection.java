package io.skerry.selection;

import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.SpanList;
import io.skerry.chunk.dataspace.SpanTree;

/** Maps selections to a different dataspace: to a different rank, or element by element. */
final class Projection {
  private Projection() {}

  /**
   * Returns whether a box has a single coordinate in every dimension except the last {@code rank}
   * dimensions.
   */
  static boolean isFlat(Box bounds, int rank) {
    for (int d = 0; d < bounds.rank() - rank; d++) {
      if (bounds.size(d) != 1) {
        return false;
      }
    }
    return true;
  }

  static Selection toRank(Selection selection, int rank) {
    if (rank < 1 || rank > Shape.MAX_RANK) {
      throw new IllegalArgumentException("rank of a selection: rank=" + rank + " allowed=1..32");
    }
    return switch (SelectionAlgebra.simplest(selection)) {
      case NoneSelection none -> none;
      case AllSelection _ -> throw SelectionAlgebra.needsExtent(selection);
      case Hyperslab slab -> toRank(slab, rank);
      case Region region -> Region.of(toRank(region.tree(), rank));
      case PointList points -> toRank(points, rank);
    };
  }

  private static Hyperslab toRank(Hyperslab slab, int rank) {
    int dropped = slab.dimensions() - rank;
    HyperslabDimension[] along = new HyperslabDimension[rank];
    for (int d = 0; d < -dropped; d++) {
      along[d] = new HyperslabDimension(0, 1, 1, 1);
    }
    for (int d = 0; d < slab.dimensions(); d++) {
      HyperslabDimension blocks = slab.along(d);
      if (d >= dropped) {
        along[d - dropped] = blocks;
      } else if (blocks.count() != 1 || blocks.block() != 1) {
        throw notFlat(slab, d);
      }
    }
    return Hyperslab.of(along);
  }

  private static SpanTree toRank(SpanTree given, int rank) {
    SpanTree tree = given;
    while (tree.depth() > rank) {
      if (tree.spans() != 1 || tree.hi(0) - tree.lo(0) != 1) {
        throw notFlat(Region.of(given), given.depth() - tree.depth());
      }
      tree = tree.child(0);
    }
    while (tree.depth() < rank) {
      tree = new SpanList(tree.depth() + 1).add(0, 1, tree).build();
    }
    return tree;
  }

  private static Selection toRank(PointList points, int rank) {
    int given = points.dimensions();
    int dropped = Math.max(0, given - rank);
    for (int d = 0; d < dropped; d++) {
      if (points.bounds().size(d) != 1) {
        throw notFlat(points, d);
      }
    }
    int kept = given - dropped;
    long[] flat = new long[Math.multiplyExact(points.size(), rank)];
    for (int p = 0; p < points.size(); p++) {
      System.arraycopy(points.flat(), p * given + dropped, flat, (p + 1) * rank - kept, kept);
    }
    return PointList.of(rank, flat);
  }

  private static IllegalArgumentException notFlat(Selection selection, int dimension) {
    return new IllegalArgumentException(
        "more than one coordinate in a dimension to be dropped: dimension="
            + dimension
            + " selection="
            + selection);
  }

  /**
   * Returns the elements of a target that correspond, by position, to a part of a source. All
   * arguments are resolved.
   */
  static Selection of(Selection source, Selection part, Selection target) {
    if (part instanceof AllSelection) {
      return target;
    }
    return pick(target, positions(source, SelectionAlgebra.tree(part)));
  }

  /**
   * Returns the elements at the given positions of a resolved selection, in the order of the
   * selection.
   */
  static Selection pick(Selection from, RunSet positions) {
    if (positions.isEmpty()) {
      return NoneSelection.NONE;
    }
    return switch (from) {
      case AllSelection all -> all;
      case NoneSelection none -> none;
      case PointList points -> pick(points, positions);
      case Hyperslab _, Region _ -> Region.of(pick(SelectionAlgebra.tree(from), positions, 0));
    };
  }

  private static Selection pick(PointList points, RunSet positions) {
    int rank = points.dimensions();
    long[] flat = new long[Math.toIntExact(positions.count() * rank)];
    int at = 0;
    for (int run = 0; run < positions.runs(); run++) {
      int length = (int) positions.length(run) * rank;
      System.arraycopy(points.flat(), (int) positions.start(run) * rank, flat, at, length);
      at += length;
    }
    return PointList.of(rank, flat);
  }

  /**
   * Returns the elements of a tree at the given positions.
   *
   * @param base the position of the first element of the tree
   */
  private static SpanTree pick(SpanTree tree, RunSet positions, long base) {
    SpanList out = new SpanList(tree.depth());
    for (int i = 0; i < tree.spans(); i++) {
      SpanTree down = tree.child(i);
      long each = down.count();
      long before = base + tree.before(i);
      long end = before + (tree.hi(i) - tree.lo(i)) * each;
      long at = positions.firstFrom(before);
      while (at < end) {
        long row = (at - before) / each;
        long lo = tree.lo(i) + row;
        long rowStart = before + row * each;
        long rows = at == rowStart ? (Math.min(positions.endOfRun(at), end) - at) / each : 0;
        if (rows > 0) {
          out.add(lo, lo + rows, down);
        } else {
          out.add(lo, lo + 1, pick(down, positions, rowStart));
        }
        at = positions.firstFrom(rowStart + Math.max(1, rows) * each);
      }
    }
    return out.build();
  }

  /** Returns the positions, in a resolved selection, of the elements that are also in a set. */
  static RunSet positions(Selection resolved, SpanTree part) {
    RunSet.Builder out = new RunSet.Builder();
    if (resolved instanceof PointList points) {
      long[] flat = points.flat();
      for (int p = 0; p < points.size(); p++) {
        if (part.contains(flat, p * points.dimensions())) {
          out.add(p, p + 1);
        }
      }
    } else if (!part.isEmpty()) {
      addPositions(SelectionAlgebra.tree(resolved), part, 0, out);
    }
    return out.build();
  }

  private static void addPositions(SpanTree tree, SpanTree part, long base, RunSet.Builder out) {
    if (tree.depth() == 0 || tree.sameAs(part)) {
      out.add(base, base + tree.count());
      return;
    }
    int i = tree.spanEndingAfter(part.lo(0));
    int j = part.spanEndingAfter(tree.lo(0));
    while (i < tree.spans() && j < part.spans()) {
      long from = Math.max(tree.lo(i), part.lo(j));
      long to = Math.min(tree.hi(i), part.hi(j));
      SpanTree down = tree.child(i);
      long at = base + tree.before(i) + (from - tree.lo(i)) * down.count();
      if (from < to && down.sameAs(part.child(j))) {
        out.add(at, at + (to - from) * down.count());
      } else if (down.boundsIntersect(part.child(j))) {
        for (long row = from; row < to; row++, at += down.count()) {
          addPositions(down, part.child(j), at, out);
        }
      }
      if (tree.hi(i) <= part.hi(j)) {
        i++;
      } else {
        j++;
      }
    }
  }
}
