package io.skerry.cache.scheduling;

import io.skerry.selection.AllSelection;
import io.skerry.selection.Box;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.NoneSelection;
import io.skerry.selection.PointList;
import io.skerry.selection.Region;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Optional;

/**
 * The elements that a request accesses, computed once, when the request arrives. In most cases,
 * bounding boxes suffice to show that two requests have no common elements. A footprint does not
 * depend on the extent, which an earlier request may be about to change. Immutable.
 */
sealed interface Footprint {
  /** The whole dataset: meets every other footprint, even an empty one. */
  record Whole() implements Footprint {}

  /** A footprint without elements; it meets only {@link Whole}. */
  record Nothing() implements Footprint {}

  /**
   * The elements of a selection.
   *
   * @param selection the elements
   * @param bounds bounding box of the elements, if it is known; otherwise, only the selections are
   *     compared
   */
  record Elements(Selection selection, Optional<Box> bounds) implements Footprint {}

  /** Returns the footprint of a selection. */
  static Footprint of(Selection selection) {
    return switch (selection) {
      case NoneSelection _ -> new Nothing();
      case AllSelection all -> new Elements(all, Optional.empty());
      case Hyperslab slab when slab.isEmpty() -> new Nothing();
      case Hyperslab slab -> new Elements(slab, Optional.of(bounds(slab)));
      case Region region -> new Elements(region, bounds(region));
      case PointList points -> new Elements(points, bounds(points));
    };
  }

  /** Returns the bounding box of a finite selection; the box does not depend on the extent. */
  private static Optional<Box> bounds(Selection finite) {
    return finite.boundingBox(Shape.of(new long[finite.rank().orElseThrow()]));
  }

  private static Box bounds(Hyperslab slab) {
    long[] start = new long[slab.dimensions()];
    long[] end = new long[start.length];
    for (int d = 0; d < start.length; d++) {
      boolean unlimited = slab.countAt(d) == Shape.UNLIMITED || slab.blockAt(d) == Shape.UNLIMITED;
      start[d] = slab.startAt(d);
      end[d] =
          unlimited
              ? Long.MAX_VALUE
              : start[d] + (slab.countAt(d) - 1) * slab.strideAt(d) + slab.blockAt(d);
    }
    return new Box(start, end);
  }

  /**
   * Returns whether two footprints may meet, judged by their bounding boxes. The running time does
   * not depend on the size of the selections.
   */
  default boolean mayMeet(Footprint other) {
    return switch (this) {
      case Whole _ -> true;
      case Nothing _ -> other instanceof Whole;
      case Elements(_, Optional<Box> bounds) ->
          switch (other) {
            case Whole _ -> true;
            case Nothing _ -> false;
            case Elements that ->
                bounds.isEmpty()
                    || that.bounds.isEmpty()
                    || overlap(bounds.get(), that.bounds.get());
          };
    };
  }

  private static boolean overlap(Box a, Box b) {
    for (int d = 0; d < a.rank(); d++) {
      if (a.end(d) <= b.start(d) || b.end(d) <= a.start(d)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether two footprints meet: they have a common element, or one of them is {@link
   * Whole}. The result is exact, but may take time proportional to the size of the selections.
   */
  default boolean meets(Footprint other) {
    return mayMeet(other)
        && (!(this instanceof Elements first && other instanceof Elements second)
            || first.selection.intersects(second.selection));
  }
}
