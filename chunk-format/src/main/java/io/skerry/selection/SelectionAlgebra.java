package io.skerry.selection;

import static java.util.stream.Collectors.joining;

import io.skerry.chunk.dataspace.BoxCover;
import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.chunk.dataspace.SpanMerge;
import io.skerry.chunk.dataspace.SpanTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The operations of {@link Selection}, for each combination of forms. */
final class SelectionAlgebra {
  private SelectionAlgebra() {}

  static Selection resolve(Selection selection, Shape extent) {
    checkRank(selection, extent);
    return switch (selection) {
      case AllSelection all when extent.rank() == 0 -> all;
      case AllSelection _ when extent.elements() == 0 -> NoneSelection.NONE;
      case AllSelection _ -> Selection.at(new long[extent.rank()]).extent(extent.extent());
      case Hyperslab slab when slab.isEmpty() -> NoneSelection.NONE;
      case Hyperslab slab when slab.isUnlimited() -> cutOff(slab, Box.of(extent));
      case Hyperslab slab -> slab;
      case NoneSelection none -> none;
      case Region region -> region;
      case PointList points -> points;
    };
  }

  private static Selection cutOff(Hyperslab slab, Box extent) {
    if (extent.isEmpty()) {
      return NoneSelection.NONE;
    }
    return common(slab.progressions(), Selection.box(extent.start(), extent.end()).progressions())
        .orElseGet(() -> Region.of(slab.within(extent)));
  }

  /**
   * Returns the intersection of two hyperslabs; empty if it may not be regular in each dimension.
   * The caller must then enumerate the blocks.
   */
  private static Optional<Selection> common(HyperslabDimension[] a, HyperslabDimension[] b) {
    HyperslabDimension[] both = new HyperslabDimension[a.length];
    boolean regular = true;
    for (int d = 0; d < a.length; d++) {
      Optional<HyperslabDimension> along = a[d].intersect(b[d]);
      if (along.isPresent() && along.get().isEmpty()) {
        return Optional.of(NoneSelection.NONE);
      }
      regular &= along.isPresent();
      both[d] = along.orElse(a[d]);
    }
    return regular ? Optional.of(Hyperslab.of(both)) : Optional.empty();
  }

  static IllegalArgumentException needsExtent(Selection... selections) {
    return new IllegalArgumentException(
        "needs an extent: resolve first, selection="
            + Arrays.stream(selections).map(Object::toString).collect(joining(" and ")));
  }

  static void checkRanks(Selection left, Selection right) {
    if (left.rank().isPresent()
        && right.rank().isPresent()
        && left.rank().getAsInt() != right.rank().getAsInt()) {
      throw new IllegalArgumentException(
          "rank: left=" + left.rank().getAsInt() + " right=" + right.rank().getAsInt());
    }
  }

  static void checkRank(Selection selection, Shape extent) {
    if (selection.rank().isPresent() && selection.rank().getAsInt() != extent.rank()) {
      throw new IllegalArgumentException(
          "rank: selection=" + selection.rank().getAsInt() + " extent=" + extent.rank());
    }
  }

  static void checkWithin(Box box, Shape extent) {
    for (int d = 0; d < box.rank(); d++) {
      checkWithin(d, box.end(d), extent);
    }
  }

  /**
   * Checks that a selection ends within the extent in one dimension.
   *
   * @param end the coordinate after the last one in that dimension
   * @throws IllegalArgumentException if the end exceeds the size of the dimension
   */
  static void checkWithin(int dimension, long end, Shape extent) {
    if (end > extent.extent(dimension)) {
      throw new IllegalArgumentException(
          "selection reaches outside the extent: dimension="
              + dimension
              + " coordinate="
              + (end - 1)
              + " extent="
              + extent.extent(dimension));
    }
  }

  /** Returns the bounding box of a resolved selection; empty if it is "all" or has no elements. */
  static Optional<Box> bounds(Selection resolved) {
    return switch (resolved) {
      case AllSelection _, NoneSelection _ -> Optional.empty();
      case Hyperslab slab -> slab.isEmpty() ? Optional.empty() : Optional.of(slab.bounds());
      case Region region -> Optional.of(region.bounds());
      case PointList points -> Optional.of(points.bounds());
    };
  }

  /** Returns the bounding box of a non-empty set. */
  static Box bounds(SpanTree set) {
    return new Box(set.low(), set.high());
  }

  /** Returns a finite selection as a set. */
  static SpanTree tree(Selection selection) {
    return switch (selection) {
      case AllSelection _ -> throw needsExtent(selection);
      case NoneSelection _ -> SpanTree.EMPTY;
      case Hyperslab slab when slab.isEmpty() -> SpanTree.EMPTY;
      case Hyperslab slab when slab.isUnlimited() -> throw needsExtent(selection);
      case Hyperslab slab -> slab.within(slab.bounds());
      case Region region -> region.tree();
      case PointList points -> points.tree();
    };
  }

  /** Returns a selection as a set, restricted to a box if it is a hyperslab. */
  private static SpanTree within(Selection selection, Box box) {
    return selection instanceof Hyperslab slab ? slab.within(box) : tree(selection);
  }

  static Selection combine(SpanMerge.Operation operation, Selection left, Selection right) {
    checkRanks(left, right);
    return switch (operation) {
      case INTERSECT -> intersect(left, right);
      case SUBTRACT -> subtract(left, right);
      case UNION -> unite(left, right);
      case XOR -> differ(left, right);
    };
  }

  private static Selection intersect(Selection left, Selection right) {
    if (left.isEmpty() || right.isEmpty()) {
      return NoneSelection.NONE;
    }
    if (right instanceof AllSelection) {
      return simplest(left);
    }
    if (left instanceof AllSelection) {
      return simplest(right);
    }
    if (left instanceof PointList points) {
      return points.filter(within(right, points.bounds()), PointList.Keep.INSIDE);
    }
    if (left instanceof Hyperslab slab && right instanceof Hyperslab other) {
      Optional<Selection> common = common(slab.progressions(), other.progressions());
      if (common.isPresent()) {
        return common.get();
      }
    }
    if (isUnlimited(left) && isUnlimited(right)) {
      throw needsExtent(left, right);
    }
    Box box = bounds(isUnlimited(left) ? right : left).orElseThrow();
    SpanTree second = within(right, box);
    if (second.isEmpty()) {
      return NoneSelection.NONE;
    }
    SpanTree first = within(left, bounds(second));
    return Region.of(SpanMerge.merge(SpanMerge.Operation.INTERSECT, first, second));
  }

  private static Selection subtract(Selection left, Selection right) {
    if (left.isEmpty() || right instanceof AllSelection) {
      return NoneSelection.NONE;
    }
    if (right.isEmpty()) {
      return simplest(left);
    }
    if (left instanceof PointList points) {
      return points.filter(within(right, points.bounds()), PointList.Keep.OUTSIDE);
    }
    SpanTree first = tree(left);
    SpanTree second = within(right, bounds(first));
    return Region.of(SpanMerge.merge(SpanMerge.Operation.SUBTRACT, first, second));
  }

  private static Selection unite(Selection left, Selection right) {
    if (left instanceof AllSelection || right instanceof AllSelection) {
      return AllSelection.ALL;
    }
    if (right.isEmpty()) {
      return simplest(left);
    }
    if (left.isEmpty()) {
      return simplest(right);
    }
    return Region.of(SpanMerge.merge(SpanMerge.Operation.UNION, tree(left), tree(right)));
  }

  private static Selection differ(Selection left, Selection right) {
    if (left instanceof AllSelection && right instanceof AllSelection) {
      return NoneSelection.NONE;
    }
    if (right.isEmpty() && left instanceof AllSelection
        || left.isEmpty() && right instanceof AllSelection) {
      return AllSelection.ALL;
    }
    return Region.of(SpanMerge.merge(SpanMerge.Operation.XOR, tree(left), tree(right)));
  }

  private static boolean isUnlimited(Selection selection) {
    return selection instanceof Hyperslab slab && slab.isUnlimited();
  }

  /**
   * Simplifies a hyperslab: an empty hyperslab becomes none, and any other hyperslab is converted
   * to its normal form. Other selections are returned unchanged.
   */
  static Selection simplest(Selection selection) {
    if (selection instanceof Hyperslab slab) {
      return slab.isEmpty() ? NoneSelection.NONE : slab.normal();
    }
    return selection;
  }

  static SpanTree union(List<SpanTree> trees) {
    List<SpanTree> some = trees.stream().filter(tree -> !tree.isEmpty()).toList();
    for (SpanTree tree : some) {
      if (tree.depth() != some.getFirst().depth()) {
        throw new IllegalArgumentException(
            "rank: first=" + some.getFirst().depth() + " other=" + tree.depth());
      }
    }
    return SpanMerge.union(some);
  }

  static Selection unionAll(List<Selection> selections) {
    List<SpanTree> trees = new ArrayList<>(selections.size());
    for (Selection selection : selections) {
      if (selection instanceof AllSelection) {
        return selection;
      }
      if (!selection.isEmpty()) {
        trees.add(tree(selection));
      }
    }
    return Region.of(union(trees));
  }

  /** Returns disjoint boxes that cover a set, in row-major order of their first elements. */
  static List<Box> boxes(SpanTree set) {
    BoxCover cover = BoxCover.of(set);
    List<Box> boxes = new ArrayList<>(cover.size());
    for (int i = 0; i < cover.size(); i++) {
      int box = i;
      long[] start = new long[set.depth()];
      long[] end = new long[set.depth()];
      Arrays.setAll(start, d -> cover.start(box, d));
      Arrays.setAll(end, d -> cover.end(box, d));
      boxes.add(new Box(start, end));
    }
    return boxes;
  }

  static void forEachRun(Selection selection, Shape extent, Selection.RunVisitor visitor) {
    selection.checkWithin(extent);
    forEachRun(resolve(selection, extent), visitor);
  }

  /** Visits the runs of a resolved selection. */
  static void forEachRun(Selection resolved, Selection.RunVisitor visitor) {
    switch (resolved) {
      case AllSelection _ -> visitor.run(new long[0], 1);
      case PointList points -> points.forEachRun(visitor);
      case NoneSelection _ -> {}
      case Hyperslab slab -> slab.forEachRun(visitor);
      case Region region -> region.forEachRun(visitor);
    }
  }

  static long[] toCoordinates(Selection selection, Shape extent) {
    int rank = extent.rank();
    long count = selection.count(extent);
    if (rank > 0 && count > (Integer.MAX_VALUE - 8) / rank) {
      throw new IllegalArgumentException(
          "too many elements for one array of coordinates: elements=" + count + " rank=" + rank);
    }
    long[] flat = new long[(int) count * rank];
    int[] at = {0};
    forEachRun(
        selection,
        extent,
        (start, length) -> {
          for (long i = 0; i < length && rank > 0; i++) {
            System.arraycopy(start, 0, flat, at[0], rank);
            flat[at[0] + rank - 1] += i;
            at[0] += rank;
          }
        });
    return flat;
  }
}
