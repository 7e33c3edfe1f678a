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
 * Converts selections to and from sets of elements. Arrays are passed without copies. For Skerry's
 * own modules only; the types of most parameters are not exported to users. Methods that build a
 * set need heap memory, and throw {@link ArithmeticException} and {@link OutOfMemoryError}, as
 * described in {@link Selection}.
 */
@SuppressWarnings("exports") // the packages are exported to the modules that use this class
public final class SelectionSets {
  private SelectionSets() {}

  /**
   * Returns the elements of a finite selection. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the selection is unlimited or {@link Selection#all}
   * @throws ArithmeticException if there are more than 2^63 - 1 elements
   */
  public static SpanTree tree(Selection selection) {
    return SelectionAlgebra.tree(selection);
  }

  /**
   * Returns the part of a hyperslab within a box. Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if the box has a lower rank
   * @throws ArithmeticException if there are more than 2^63 - 1 elements
   */
  public static SpanTree within(Hyperslab slab, Box box) {
    return slab.within(box);
  }

  /**
   * Returns the simplest selection that contains exactly the elements of a tree. Local,
   * thread-safe.
   *
   * @param tree the set, of at most 32 dimensions, which is checked only if the set is regular
   * @throws IllegalArgumentException if the tree is {@link SpanTree#POINT}, or is regular and has
   *     more than 32 dimensions
   */
  public static Selection of(SpanTree tree) {
    return Region.of(tree);
  }

  /**
   * Returns the elements of a selection as row-major indices in a box of the given sizes, which
   * starts at the origin. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the selection is not within the box or has a different
   *     rank, or the sizes are not those of a {@link Shape}
   * @throws ArithmeticException if the box has more than 2^63 - 1 elements
   */
  public static RunSet runs(Selection selection, long... sizes) {
    Shape box = Shape.of(sizes);
    long elements = box.elements();
    selection.checkWithin(box);
    return switch (SelectionAlgebra.resolve(selection, box)) {
      case NoneSelection _ -> RunSet.range(0, 0);
      case AllSelection _ -> RunSet.range(0, elements);
      case PointList points -> RunSet.ofIndices(points.indices(new long[sizes.length], sizes));
      case Hyperslab slab -> RunSetSpans.runs(SelectionAlgebra.tree(slab), sizes);
      case Region region -> RunSetSpans.runs(region.tree(), sizes);
    };
  }

  /**
   * Returns the elements of a set as a selection within a box of the given sizes: all, none, a
   * regular hyperslab, or a union of blocks, whichever is simplest. Local, thread-safe.
   *
   * @param elements the row-major indices of the elements
   * @param sizes the sizes of the box in elements, at least 0, for at most 32 dimensions; checked
   *     only if the result is "all" or regular
   * @throws IllegalArgumentException if there are elements outside the box, or if the result is
   *     "all" or regular and there are more than 32 sizes
   * @throws ArithmeticException if the box has more than 2^63 - 1 elements
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
   * Returns the union of boxes, which may overlap or be empty. Local, thread-safe.
   *
   * @param budget the limit on the number of spans
   * @throws SpanBudget.Exhausted if the computation builds more spans, including those of
   *     intermediate results, than the budget allows
   * @throws IllegalArgumentException if the boxes differ in rank
   * @throws ArithmeticException if the union has more than 2^63 - 1 elements, or the boxes have
   *     more than 2^31 - 1 coordinates
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
   * Returns the selection of points with the given coordinates, one point after the other. The
   * array is not copied and must not be changed afterwards. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the rank is not 1 to 32, the number of coordinates is not a
   *     multiple of the rank, or a coordinate is negative or 2^63 - 1
   */
  public static Selection points(int rank, long[] coordinates) {
    return PointList.of(rank, coordinates);
  }

  /**
   * Returns the coordinates of points, one point after the other. The array is not a copy and must
   * not be changed. Local, thread-safe; does not fail.
   */
  public static long[] coordinates(PointList points) {
    return points.flat();
  }

  /**
   * Returns the row-major indices of points in a box of at most 2^63 - 1 elements. The points and
   * the box are not checked. Local, thread-safe.
   *
   * @param points points within the box
   * @param origin the first coordinate of the box in each dimension
   * @param size the size of the box in each dimension, in elements
   * @throws ArrayIndexOutOfBoundsException if the box has a lower rank
   */
  public static long[] indices(PointList points, long[] origin, long[] size) {
    return points.indices(origin, size);
  }

  /**
   * Returns the dimensions of a hyperslab, with adjacent and overlapping blocks joined. Local,
   * thread-safe; does not fail.
   */
  public static HyperslabDimension[] dimensions(Hyperslab slab) {
    return slab.progressions();
  }

  /**
   * Returns a hyperslab with the given parameters, unchanged. The arrays are not copied and must
   * not be changed afterwards. Local, thread-safe.
   *
   * @param start the first coordinate in each dimension
   * @param stride the distance between block starts in each dimension, in elements
   * @param count the number of blocks in each dimension, or {@link Shape#UNLIMITED}
   * @param block the size of a block in each dimension, in elements, or {@link Shape#UNLIMITED}
   * @throws IllegalArgumentException if the rank is not 1 to 32, a start is negative, a stride is
   *     less than 1, a count or block is negative but not {@link Shape#UNLIMITED}, a count other
   *     than 0 or 1 is combined with an unlimited block, or a block ends beyond 2^63-1
   * @throws ArrayIndexOutOfBoundsException if an array is shorter than {@code start}
   */
  public static Hyperslab hyperslab(long[] start, long[] stride, long[] count, long[] block) {
    return new Hyperslab(start, stride, count, block);
  }

  /**
   * Returns the bounding box of a resolved selection; empty if it is "all" or has no elements.
   * Local, thread-safe; does not fail.
   *
   * @param resolved the selection, which must not be unlimited
   */
  public static Optional<Box> bounds(Selection resolved) {
    return SelectionAlgebra.bounds(resolved);
  }

  /**
   * Returns the bounding box of a hyperslab, which must be finite and must not be empty. Local,
   * thread-safe; does not fail.
   */
  public static Box bounds(Hyperslab slab) {
    return slab.bounds();
  }

  /** Returns the bounding box of points. Local, thread-safe; does not fail. */
  public static Box bounds(PointList points) {
    return points.bounds();
  }

  /**
   * Returns whether the parameters of a hyperslab are those of a single finite block. Local,
   * thread-safe; does not fail.
   */
  public static boolean isOneBlock(Hyperslab slab) {
    return slab.isOneBlock();
  }

  /**
   * Returns the number of unlimited dimensions of a hyperslab. Local, thread-safe; does not fail.
   */
  public static int unlimitedDimensions(Hyperslab slab) {
    return slab.unlimitedDimensions();
  }

  /**
   * Returns the number of elements of a hyperslab within a box of the given sizes at the origin.
   * Local, thread-safe.
   *
   * @param sizes the size of the box in each dimension, in elements
   * @throws ArrayIndexOutOfBoundsException if the box has a higher rank
   * @throws ArithmeticException if the number exceeds 2^63 - 1
   */
  public static long elementsWithin(Hyperslab slab, long[] sizes) {
    return slab.elementsWithin(sizes);
  }

  /**
   * Returns the simplest form of a selection: "none" for an empty hyperslab, the normal form of any
   * other hyperslab, and any other selection unchanged. Local, thread-safe; does not fail.
   */
  public static Selection simplest(Selection selection) {
    return SelectionAlgebra.simplest(selection);
  }

  /**
   * Checks that a selection and an extent have the same rank. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the ranks differ
   */
  public static void checkRank(Selection selection, Shape extent) {
    SelectionAlgebra.checkRank(selection, extent);
  }
}
