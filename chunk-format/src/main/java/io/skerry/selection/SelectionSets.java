package io.skerry.selection;

import io.skerry.chunk.dataspace.BoxUnion;
import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.RunSetSpans;
import io.skerry.chunk.dataspace.SpanBudget;
import io.skerry.chunk.dataspace.SpanTree;
import java.util.List;
import java.util.Optional;

/**
 * Converts selections to and from sets of elements, without copies. For Skerry's own modules; the
 * types of most parameters are not exported to users.
 */
@SuppressWarnings("exports") // the packages are exported to the modules that use this
public final class SelectionSets {
  private SelectionSets() {}

  /**
   * The elements of a finite selection. Local, thread-safe.
   *
   * @throws IllegalArgumentException if it has no end, or is {@link Selection#all}
   */
  public static SpanTree tree(Selection selection) {
    return SelectionAlgebra.tree(selection);
  }

  /**
   * The part of a hyperslab inside a box; costs no more than the blocks inside. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the box has another rank
   */
  public static SpanTree within(Hyperslab slab, Box box) {
    return slab.within(box);
  }

  /** The simplest selection of the elements of a tree. Local, thread-safe; does not fail. */
  public static Selection of(SpanTree tree) {
    return Region.of(tree);
  }

  /**
   * The elements of a selection inside a box of these sizes. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the selection reaches outside the box or has another rank
   */
  public static RunSet runs(Selection selection, long... sizes) {
    Shape box = Shape.of(sizes);
    selection.checkWithin(box);
    return switch (SelectionAlgebra.resolve(selection, box)) {
      case NoneSelection _ -> RunSet.range(0, 0);
      case AllSelection _ -> RunSet.range(0, box.elements());
      case PointList points -> RunSet.ofIndices(points.indices(new long[sizes.length], sizes));
      case Hyperslab slab -> RunSetSpans.runs(SelectionAlgebra.tree(slab), sizes);
      case Region region -> RunSetSpans.runs(region.tree(), sizes);
    };
  }

  /**
   * The elements of a set as a selection inside a box of these sizes: all, none, a regular pattern,
   * or a union of blocks, whichever is simplest. Local, thread-safe.
   *
   * @throws IllegalArgumentException if there are elements outside the box
   */
  public static Selection of(RunSet elements, long... sizes) {
    if (elements.isEmpty()) {
      return Selection.none();
    }
    if (elements.count() == elements.bound() && elements.count() == Shape.of(sizes).elements()) {
      return Selection.all();
    }
    return Region.of(RunSetSpans.of(elements, sizes));
  }

  /**
   * The union of boxes, which may overlap and be empty. Local, thread-safe.
   *
   * @throws SpanBudget.Exhausted if that takes more spans than the budget allows
   * @throws IllegalArgumentException if the boxes differ in rank
   */
  public static SpanTree union(List<Box> boxes, SpanBudget budget) {
    int rank = boxes.isEmpty() ? 1 : boxes.getFirst().rank();
    long[] bounds = new long[Math.multiplyExact(2 * rank, boxes.size())];
    int n = 0;
    for (Box box : boxes) {
      if (box.rank() != rank) {
        throw new IllegalArgumentException("rank: first=" + rank + " other=" + box.rank());
      }
      if (!box.isEmpty()) {
        System.arraycopy(box.start(), 0, bounds, n * 2 * rank, rank);
        System.arraycopy(box.end(), 0, bounds, n * 2 * rank + rank, rank);
        n++;
      }
    }
    return BoxUnion.of(rank, bounds, n, budget);
  }

  /**
   * The points with these coordinates, one point after the other. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the number of coordinates is not a multiple of the rank, or
   *     a coordinate is negative
   */
  public static Selection points(int rank, long[] coordinates) {
    return PointList.of(rank, coordinates);
  }

  /**
   * The coordinates of points, one point after the other; not a copy. Local, thread-safe; does not
   * fail.
   */
  public static long[] coordinates(PointList points) {
    return points.flat();
  }

  /**
   * The row-major indices of points in a box. Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if the box has a lower rank
   */
  public static long[] indices(PointList points, long[] origin, long[] size) {
    return points.indices(origin, size);
  }

  /** The dimensions of a hyperslab, blocks that touch joined. Local, thread-safe; does not fail. */
  public static HyperslabDimension[] dimensions(Hyperslab slab) {
    return slab.progressions();
  }

  /**
   * A hyperslab with these parameters, as they are. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the arrays differ in length, or are not a hyperslab
   */
  public static Hyperslab hyperslab(long[] start, long[] stride, long[] count, long[] block) {
    return new Hyperslab(start, stride, count, block);
  }

  /**
   * The smallest box around a resolved selection; empty if nothing or everything is selected.
   * Local, thread-safe; does not fail.
   */
  public static Optional<Box> bounds(Selection resolved) {
    return SelectionAlgebra.bounds(resolved);
  }

  /** The smallest box around a hyperslab that is not empty. Local, thread-safe; does not fail. */
  public static Box bounds(Hyperslab slab) {
    return slab.bounds();
  }

  /** The smallest box around points. Local, thread-safe; does not fail. */
  public static Box bounds(PointList points) {
    return points.bounds();
  }

  /** Returns whether a hyperslab is one block. Local, thread-safe; does not fail. */
  public static boolean isOneBlock(Hyperslab slab) {
    return slab.isOneBlock();
  }

  /**
   * The number of dimensions in which a hyperslab has no end. Local, thread-safe; does not fail.
   */
  public static int unlimitedDimensions(Hyperslab slab) {
    return slab.unlimitedDimensions();
  }

  /**
   * The number of elements of a hyperslab inside a box of these sizes at the origin. Local,
   * thread-safe.
   *
   * @throws IllegalArgumentException if the box has another rank
   */
  public static long elementsWithin(Hyperslab slab, long[] sizes) {
    return slab.elementsWithin(sizes);
  }

  /** The simplest form of a selection. Local, thread-safe; does not fail. */
  public static Selection simplest(Selection selection) {
    return SelectionAlgebra.simplest(selection);
  }

  /**
   * Refuses a selection of another rank than that of an extent. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the ranks differ
   */
  public static void checkRank(Selection selection, Shape extent) {
    SelectionAlgebra.checkRank(selection, extent);
  }
}
