package io.skerry.selection;

import io.skerry.chunk.dataspace.SpanBudget;
import io.skerry.chunk.dataspace.SpanMerge;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Elements of a dataspace, as an immutable value that knows no extent: all of them, none, a regular
 * pattern, any union of blocks, or a list of points. Sets are visited in row-major order, a list of
 * points in its own; packed values follow that order.
 *
 * <p>Results of set operations are as simple as they can be ({@link NoneSelection}, {@link
 * Hyperslab} if regular, else {@link Region}), so equal sets compare equal. Only a list of points
 * is more than a set: it keeps its order and its repetitions when something is cut from it or it is
 * moved, and becomes a set when it is united with something.
 *
 * <p>In the words of the C library, with A the selection there is and B the one that comes: {@code
 * H5S_SELECT_SET} is B, {@code OR} {@code a.union(b)}, {@code AND} {@code a.intersect(b)}, {@code
 * XOR} {@code a.symmetricDifference(b)}, {@code NOTB} {@code a.subtract(b)}, {@code NOTA} {@code
 * b.subtract(a)}. Points take part in all of them, as sets. An unlimited pattern can be intersected
 * with anything finite and subtracted from it, and intersected with another one where the result is
 * a pattern; what else it takes part in has no finite form before it is resolved.
 *
 * <p>A {@code Shape} is asked for only where "all" and "unlimited" need one. Selections of
 * different rank do not mix ({@link IllegalArgumentException}). A set of more than 2^63 - 1
 * elements ends in {@link ArithmeticException}.
 */
public sealed interface Selection
    permits AllSelection, NoneSelection, Hyperslab, Region, PointList {
  /** Every element. */
  static Selection all() {
    return AllSelection.ALL;
  }

  /** No element. */
  static Selection none() {
    return NoneSelection.NONE;
  }

  /**
   * The element at these coordinates: the beginning of a pattern, as in {@code at(4, 0).extent(1,
   * 100)}.
   */
  static Hyperslab at(long... start) {
    return Hyperslab.single(start.clone());
  }

  /** One block. */
  static Hyperslab box(long[] start, long[] size) {
    return at(start).extent(size);
  }

  /** The union of blocks, which may overlap; none if the list is empty. */
  static Selection blocks(List<Box> blocks) {
    return Region.of(SelectionSets.union(blocks, SpanBudget.none()));
  }

  /** Single elements, one row of coordinates each, in this order. */
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

  /** Single elements, one point after the other, in this order. */
  static Selection points(int rank, long[] flat) {
    return PointList.of(rank, flat.clone());
  }

  /** The union of many sets, faster than one by one. */
  static Selection unionAll(List<Selection> selections) {
    return SelectionAlgebra.unionAll(selections);
  }

  /** Number of dimensions; empty if it fits any. */
  OptionalInt rank();

  /** Whether no element can be in it, whatever the extent. */
  boolean isEmpty();

  /** The same elements without "all" and "unlimited", which end at the extent. */
  default Selection resolve(Shape extent) {
    return SelectionAlgebra.resolve(this, extent);
  }

  /**
   * Refuses a selection that reaches outside.
   *
   * @throws IllegalArgumentException that names dimension, coordinate and extent
   */
  default void checkWithin(Shape extent) {
    boundingBox(extent).ifPresent(box -> SelectionAlgebra.checkWithin(box, extent));
  }

  /** Number of elements, repeated points counted as often as they occur. */
  default long count(Shape extent) {
    return switch (SelectionAlgebra.resolve(this, extent)) {
      case AllSelection _ -> extent.elements();
      case NoneSelection _ -> 0;
      case Hyperslab slab -> slab.elements();
      case Region region -> region.tree().count();
      case PointList points -> points.size();
    };
  }

  /** The smallest box around all elements; empty if there is none, or for a scalar. */
  default Optional<Box> boundingBox(Shape extent) {
    return SelectionAlgebra.bounds(SelectionAlgebra.resolve(this, extent));
  }

  /**
   * What is in both; a list of points on the left keeps its order.
   *
   * @throws IllegalArgumentException if both are unlimited patterns and what they have in common is
   *     not one: resolve them first
   */
  default Selection intersect(Selection other) {
    return SelectionAlgebra.combine(SpanMerge.Operation.INTERSECT, this, other);
  }

  /**
   * What is in either, as a set.
   *
   * @throws IllegalArgumentException if an unlimited pattern is involved: resolve it first
   */
  default Selection union(Selection other) {
    return SelectionAlgebra.combine(SpanMerge.Operation.UNION, this, other);
  }

  /**
   * What is here but not there; a list of points on the left keeps its order.
   *
   * @throws IllegalArgumentException if this is all or unlimited: resolve it first
   */
  default Selection subtract(Selection other) {
    return SelectionAlgebra.combine(SpanMerge.Operation.SUBTRACT, this, other);
  }

  /**
   * What is in exactly one of the two, as a set.
   *
   * @throws IllegalArgumentException if either is all or unlimited: resolve it first
   */
  default Selection symmetricDifference(Selection other) {
    return SelectionAlgebra.combine(SpanMerge.Operation.XOR, this, other);
  }

  /** Whether an element is in it. Every element is in "all", whatever the extent. */
  default boolean contains(long... coordinates) {
    return intersects(at(coordinates));
  }

  /**
   * Whether the two have an element in common, in less time than it takes to find out which. For a
   * block this is {@code H5Sselect_intersect_block}. "All" meets whatever is not empty.
   */
  default boolean intersects(Selection other) {
    return IntersectionTest.of(this, other);
  }

  /**
   * Whether both have the same shape, as {@code H5Sselect_shape_same} has it: the same elements in
   * the same order, apart from where they lie. The ranks may differ if the one of higher rank has
   * one coordinate in each dimension that the other lacks at the front. (The C library tells points
   * from blocks of several elements; here points in row-major order are what they cover.)
   *
   * @param extent in which this one lies
   * @param otherExtent in which the other one lies
   */
  default boolean hasSameShape(Shape extent, Selection other, Shape otherExtent) {
    return ShapeComparison.same(resolve(extent), extent, other.resolve(otherExtent), otherExtent);
  }

  /**
   * The same elements in a dataspace of another rank: dimensions are dropped at the front, or put
   * there with the coordinate 0 in each. It is what makes a plane of a 3-D dataset a selection of a
   * 2-D one.
   *
   * @throws IllegalArgumentException if there is more than one coordinate in a dimension that is
   *     dropped, the rank is not 1 to 32, or this is all
   */
  default Selection withRank(int rank) {
    return Projection.toRank(this, rank);
  }

  /**
   * Those elements of another selection that correspond, by their position in the order, to those
   * here that are also in a part: {@code H5Sselect_project_intersection}. If this is read into
   * {@code target}, it is where the part ends up. An element that a list of points repeats
   * corresponds once each time.
   *
   * @param extent in which this and the part lie
   * @param targetExtent in which the target lies
   * @throws IllegalArgumentException if this and the target differ in the number of elements
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
   * The same elements elsewhere.
   *
   * @throws IllegalArgumentException if a coordinate became negative or exceeded 2^63 - 1, or this
   *     is all
   */
  default Selection shift(long... offset) {
    return Shift.of(this, offset);
  }

  /**
   * Visits the elements in the order of the selection, as runs along the last dimension.
   *
   * @throws IllegalArgumentException if the selection reaches outside the extent
   */
  default void forEachRun(Shape extent, RunVisitor visitor) {
    SelectionAlgebra.forEachRun(this, extent, visitor);
  }

  /**
   * The elements in the order of the selection as runs of row-major indices, for whoever wants to
   * ask for them instead of being called.
   *
   * @throws IllegalArgumentException if the selection reaches outside the extent
   * @throws ArithmeticException if the extent has more than 2^63 - 1 elements
   */
  default RunIterator runs(Shape extent) {
    return RunIterator.of(this, extent);
  }

  /**
   * Disjoint blocks that make up the set, in row-major order of their first elements; none for a
   * scalar.
   *
   * @throws IllegalArgumentException if the selection reaches outside the extent
   */
  default List<Box> boxes(Shape extent) {
    checkWithin(extent);
    Selection resolved = SelectionAlgebra.resolve(this, extent);
    return resolved instanceof AllSelection
        ? List.of()
        : SelectionAlgebra.boxes(SelectionAlgebra.tree(resolved));
  }

  /**
   * The coordinates of all elements in the order of the selection, one element after the other.
   *
   * @throws IllegalArgumentException if the selection reaches outside the extent, or there are too
   *     many elements for one array
   */
  default long[] toCoordinates(Shape extent) {
    return SelectionAlgebra.toCoordinates(this, extent);
  }
}
