package io.skerry.selection;

import io.skerry.chunk.dataspace.SpanBudget;
import io.skerry.chunk.dataspace.SpanMerge;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A selection of elements of a dataspace: all, none, a regular hyperslab, a union of blocks, or a
 * list of points. The elements of a set are in row-major order, and those of a list of points in
 * the order of the list; packed values are in the same order. Immutable; all methods are local and
 * thread-safe.
 *
 * <p>Set operations on finite sets return the simplest form ({@link NoneSelection}, {@link
 * Hyperslab} if regular, otherwise {@link Region}), so equal finite sets are equal values. A list
 * of points on which a method is called keeps its order and its repetitions in an intersection, a
 * difference and a shift. A union with a selection that is not empty converts the list to a set.
 *
 * <p>The operators of the C library have these equivalents, where {@code a} is the current and
 * {@code b} the new selection: {@code H5S_SELECT_SET} is {@code b}, {@code OR} is {@code
 * a.union(b)}, {@code AND} is {@code a.intersect(b)}, {@code XOR} is {@code
 * a.symmetricDifference(b)}, {@code NOTB} is {@code a.subtract(b)}, and {@code NOTA} is {@code
 * b.subtract(a)}. An unlimited hyperslab can be intersected with a finite selection, and can be
 * subtracted from a finite selection. It can be intersected with another unlimited hyperslab if the
 * result is a hyperslab that is found without enumerating blocks. For most other set operations, it
 * must be {@linkplain #resolve resolved} first. In set operations, a hyperslab with a count or a
 * block size of 0 in any dimension is empty and not unlimited.
 *
 * <p>Methods take an extent only where the meaning of "all" or "unlimited" depends on it. Offsets,
 * sizes and strides are in elements. A method throws an {@link IllegalArgumentException} if
 * selections differ in rank. It may throw an {@link ArithmeticException} if an extent, a selection
 * or a set that it computes has more than 2^63-1 elements, if blocks that it computes have more
 * than 2^30 coordinates, or if points, or blocks that it receives, have more than 2^31 - 1
 * coordinates. A block has two coordinates in each dimension. Regular hyperslabs are processed
 * without enumerating their blocks where this is possible; otherwise, a method needs heap memory in
 * proportion to the number of blocks and points of its operands and its result, and throws an
 * {@link OutOfMemoryError} if the heap is insufficient.
 */
public sealed interface Selection
    permits AllSelection, NoneSelection, Hyperslab, Region, PointList {
  /** Selects every element of any extent. Local, thread-safe; does not fail. */
  static Selection all() {
    return AllSelection.ALL;
  }

  /** Selects no elements. Local, thread-safe; does not fail. */
  static Selection none() {
    return NoneSelection.NONE;
  }

  /**
   * Selects the element at the given coordinates. The result can be extended to a block or a
   * pattern that starts there, as in {@code at(4, 0).extent(1, 100)}. Local, thread-safe.
   *
   * @throws IllegalArgumentException if there are no coordinates or more than 32, or a coordinate
   *     is negative or 2^63 - 1
   */
  static Hyperslab at(long... start) {
    return Hyperslab.single(start.clone());
  }

  /**
   * Selects a single block. Local, thread-safe.
   *
   * @param start the first coordinate in each dimension
   * @param size the size of the block in each dimension, in elements, or {@link Shape#UNLIMITED}
   * @throws IllegalArgumentException if the arrays differ in length or have no elements or more
   *     than 32, a start is negative or 2^63 - 1, a size is negative but not {@link
   *     Shape#UNLIMITED}, or the block ends beyond 2^63 - 1
   */
  static Hyperslab box(long[] start, long[] size) {
    return at(start).extent(size);
  }

  /**
   * Selects the union of blocks, which may overlap; nothing if the list is empty. Local,
   * thread-safe.
   *
   * @throws IllegalArgumentException if the blocks differ in rank
   * @throws ArithmeticException if the union has more than 2^63-1 elements, or the blocks have more
   *     than 2^31 - 1 coordinates
   */
  static Selection blocks(List<Box> blocks) {
    return Region.of(SelectionSets.union(blocks, SpanBudget.none()));
  }

  /**
   * Selects points in the given order; nothing if the array is empty. Each row holds the
   * coordinates of a point. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the points differ in rank, their rank is not 1 to 32, or a
   *     coordinate is negative or 2^63 - 1
   * @throws ArithmeticException if there are more than 2^31 - 1 coordinates
   */
  static Selection points(long[][] coordinates) {
    if (coordinates.length == 0) {
      return none();
    }
    int rank = coordinates[0].length;
    long[] flat = new long[Math.multiplyExact(coordinates.length, rank)];
    for (int i = 0; i < coordinates.length; i++) {
      if (coordinates[i].length != rank) {
        throw new IllegalArgumentException(
            "rank: point=" + i + " rank=" + coordinates[i].length + " firstRank=" + rank);
      }
      System.arraycopy(coordinates[i], 0, flat, i * rank, rank);
    }
    return PointList.of(rank, flat);
  }

  /**
   * Selects points in the given order; nothing if the array is empty. The array holds the
   * coordinates of one point after the other. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the rank is not 1 to 32, the number of coordinates is not a
   *     multiple of the rank, or a coordinate is negative or 2^63 - 1
   */
  static Selection points(int rank, long[] flat) {
    return PointList.of(rank, flat.clone());
  }

  /**
   * Selects the union of any number of selections. Local, thread-safe.
   *
   * @throws IllegalArgumentException if no selection is "all" and those that are not empty differ
   *     in rank, or if an unlimited hyperslab that is not empty is not preceded by an "all"
   *     selection
   */
  static Selection unionAll(List<Selection> selections) {
    return SelectionAlgebra.unionAll(selections);
  }

  /**
   * Returns the number of dimensions; empty if the selection fits any rank. Local, thread-safe;
   * does not fail.
   */
  OptionalInt rank();

  /** Returns whether the selection is empty in every extent. Local, thread-safe; does not fail. */
  boolean isEmpty();

  /**
   * Returns the selected elements of an extent: "all" becomes the entire extent, and an unlimited
   * hyperslab ends at the end of the extent. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the extent has a different rank
   * @throws ArithmeticException if this selection is "all" and the extent has more than 2^63 - 1
   *     elements, or if the result is not regular and has more than 2^63 - 1 elements
   */
  default Selection resolve(Shape extent) {
    return SelectionAlgebra.resolve(this, extent);
  }

  /**
   * Checks that this selection is within an extent. Local, thread-safe.
   *
   * @throws IllegalArgumentException if it is not, or if the extent has a different rank; the
   *     message contains the dimension, the coordinate and the extent, or both ranks
   * @throws ArithmeticException if {@link #resolve} throws it
   */
  default void checkWithin(Shape extent) {
    boundingBox(extent).ifPresent(box -> SelectionAlgebra.checkWithin(box, extent));
  }

  /**
   * Returns the number of selected elements; repeated points count each time. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the extent has a different rank
   * @throws ArithmeticException if there are more than 2^63 - 1 elements
   */
  default long count(Shape extent) {
    return switch (SelectionAlgebra.resolve(this, extent)) {
      case AllSelection _ -> extent.elements();
      case NoneSelection _ -> 0;
      case Hyperslab slab -> slab.elements();
      case Region region -> region.tree().count();
      case PointList points -> points.size();
    };
  }

  /**
   * Returns the bounding box of the selected elements; empty if there are none, or for a scalar.
   * Local, thread-safe.
   *
   * @throws IllegalArgumentException if the extent has a different rank
   * @throws ArithmeticException if {@link #resolve} throws it
   */
  default Optional<Box> boundingBox(Shape extent) {
    return SelectionAlgebra.bounds(SelectionAlgebra.resolve(this, extent));
  }

  /**
   * Returns the intersection. If this selection is a list of points, the result keeps its order.
   * The intersection of "all" and a list of points is the list. Local, thread-safe.
   *
   * @throws IllegalArgumentException if both are unlimited and the intersection is not a hyperslab
   *     or is not found without enumerating blocks, or if the selections differ in rank
   */
  default Selection intersect(Selection other) {
    return SelectionAlgebra.combine(SpanMerge.Operation.INTERSECT, this, other);
  }

  /**
   * Returns the union, as a set; if one selection is empty, returns the other one. Local,
   * thread-safe.
   *
   * @throws IllegalArgumentException if one is unlimited and the other is neither "all" nor empty,
   *     or if the selections differ in rank
   */
  default Selection union(Selection other) {
    return SelectionAlgebra.combine(SpanMerge.Operation.UNION, this, other);
  }

  /**
   * Returns the difference: the elements of this selection that are not in the other one. If this
   * selection is a list of points, the result keeps its order. Local, thread-safe.
   *
   * @throws IllegalArgumentException if this selection is "all" or unlimited and the other one is
   *     neither "all" nor empty, or if the selections differ in rank
   */
  default Selection subtract(Selection other) {
    return SelectionAlgebra.combine(SpanMerge.Operation.SUBTRACT, this, other);
  }

  /**
   * Returns the elements of exactly one of the two selections, as a set. Local, thread-safe.
   *
   * @throws IllegalArgumentException if one of them is unlimited, if one of them is "all" and the
   *     other is neither "all" nor empty, or if the selections differ in rank
   */
  default Selection symmetricDifference(Selection other) {
    return SelectionAlgebra.combine(SpanMerge.Operation.XOR, this, other);
  }

  /**
   * Returns whether an element is selected. "All" contains every element. Local, thread-safe.
   *
   * @param coordinates the coordinates of the element, one for each dimension
   * @throws IllegalArgumentException if the element has a different rank, there are not 1 to 32
   *     coordinates, or a coordinate is negative or 2^63 - 1
   */
  default boolean contains(long... coordinates) {
    return intersects(at(coordinates));
  }

  /**
   * Returns whether the selections have a common element. If {@code other} is a block, the method
   * corresponds to {@code H5Sselect_intersect_block}. "All" intersects every selection that is not
   * empty. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the selections differ in rank
   */
  default boolean intersects(Selection other) {
    return IntersectionTest.of(this, other);
  }

  /**
   * Returns whether both selections have the same shape, like {@code H5Sselect_shape_same}: the
   * same elements in the same order, apart from an offset. The ranks may differ if the selection of
   * higher rank has a single coordinate in each leading dimension that the other lacks. Unlike in
   * the C library, points in row-major order have the shape of the blocks that they cover. Local,
   * thread-safe.
   *
   * @param extent the extent of this selection
   * @param otherExtent the extent of the other selection
   * @throws IllegalArgumentException if the rank of an extent differs from that of its selection
   * @throws ArithmeticException if {@link #count} or {@link #resolve} throws it
   */
  default boolean hasSameShape(Shape extent, Selection other, Shape otherExtent) {
    return ShapeComparison.same(resolve(extent), extent, other.resolve(otherExtent), otherExtent);
  }

  /**
   * Returns the same elements in a dataspace of a different rank: leading dimensions are removed,
   * or added with coordinate 0. For example, a plane of a dataset of rank 3 becomes a selection of
   * rank 2. Local, thread-safe.
   *
   * @param rank the number of dimensions of the result
   * @throws IllegalArgumentException if a removed dimension has more than one coordinate, the rank
   *     is not 1 to 32, or this selection is "all"
   * @throws ArithmeticException if a list of points would have more than 2^31 - 1 coordinates
   */
  default Selection withRank(int rank) {
    return Projection.toRank(this, rank);
  }

  /**
   * Projects the intersection of this selection and a part onto a target selection, like {@code
   * H5Sselect_project_intersection}. When the values of this selection are read into the target,
   * the result contains the elements of the target that receive the values of the part. A repeated
   * point counts each time. Local, thread-safe.
   *
   * @param extent the extent of this selection and of the part
   * @param part the selection to intersect with this one
   * @param target the target selection
   * @param targetExtent the extent of the target
   * @throws IllegalArgumentException if this selection and the target have different numbers of
   *     elements, or a selection and its extent differ in rank
   * @throws ArithmeticException if {@link #count} or {@link #resolve} throws it
   */
  default Selection project(Shape extent, Selection part, Selection target, Shape targetExtent) {
    long elements = count(extent);
    long targetElements = target.count(targetExtent);
    if (elements != targetElements) {
      throw new IllegalArgumentException(
          "elements of the projected selection: source=" + elements + " target=" + targetElements);
    }
    return Projection.of(resolve(extent), part.resolve(extent), target.resolve(targetExtent));
  }

  /**
   * Returns the selection moved by an offset. Local, thread-safe.
   *
   * @param offset the distance in each dimension, in elements
   * @throws IllegalArgumentException if the offset has a different rank, a coordinate becomes
   *     negative or exceeds 2^63 - 2, or this selection is "all"
   */
  default Selection shift(long... offset) {
    return Shift.of(this, offset);
  }

  /**
   * Visits the elements in the order of the selection, as runs along the last dimension. An
   * exception thrown by the visitor is passed on. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the selection exceeds the extent or has a different rank
   * @throws ArithmeticException if {@link #resolve} throws it
   */
  default void forEachRun(Shape extent, RunVisitor visitor) {
    SelectionAlgebra.forEachRun(this, extent, visitor);
  }

  /**
   * Returns an iterator over the elements in the order of the selection, as runs of row-major
   * indices. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the selection exceeds the extent or has a different rank
   * @throws ArithmeticException if the extent has more than 2^63 - 1 elements and the selection is
   *     not empty
   */
  default RunIterator runs(Shape extent) {
    return RunIterator.of(this, extent);
  }

  /**
   * Returns disjoint blocks whose union is the selection, in row-major order of their first
   * elements; the list is empty for a scalar. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the selection exceeds the extent or has a different rank
   * @throws ArithmeticException if {@link #resolve} throws it, there are more than 2^63 - 1
   *     elements, or the blocks have more than 2^30 coordinates
   */
  default List<Box> boxes(Shape extent) {
    checkWithin(extent);
    Selection resolved = SelectionAlgebra.resolve(this, extent);
    return resolved instanceof AllSelection
        ? List.of()
        : SelectionAlgebra.boxes(SelectionAlgebra.tree(resolved));
  }

  /**
   * Returns the coordinates of all elements in the order of the selection, one element after the
   * other. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the selection exceeds the extent, has a different rank, or
   *     has more than 2^31 - 9 coordinates
   * @throws ArithmeticException if {@link #count} throws it
   */
  default long[] toCoordinates(Shape extent) {
    return SelectionAlgebra.toCoordinates(this, extent);
  }

  /** Receives the runs of a selection, in the order of the selection. */
  @FunctionalInterface
  interface RunVisitor {
    /**
     * Receives a run of elements along the last dimension. Local; called by the thread that visits
     * the selection. An exception ends the visit.
     *
     * @param start the coordinates of the first element; the array is reused for the next run
     * @param length the number of elements, at least 1
     */
    void run(long[] start, long length);
  }

  /** The form of an encoded selection, independent of the version of the encoding. */
  enum Form {
    /** No elements. */
    NONE,
    /** All elements, without a list. */
    ALL,
    /** A regular hyperslab: start, stride, count and block. */
    REGULAR,
    /** A list of blocks. */
    BLOCKS,
    /** A list of points. */
    POINTS
  }
}
