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
 * What a request touches, in a form made once, on arrival: boxes tell most pairs of requests apart
 * in a few comparisons, whatever the size of the selections. Needs no extent, which a request ahead
 * may be about to change. Immutable.
 */
sealed interface Footprint {
  /** Meets every other one, even that of a request for no element. */
  record Whole() implements Footprint {}

  /** No element: meets only the whole. */
  record Nothing() implements Footprint {}

  /**
   * Elements, at least one in a dataspace that is large enough.
   *
   * @param bounds box around all of them; empty if they are everywhere
   */
  record Elements(Selection selection, Optional<Box> bounds) implements Footprint {}

  /** That of a selection. */
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

  /** Of something finite, for which the size of the extent does not matter. */
  private static Optional<Box> bounds(Selection finite) {
    return finite.boundingBox(Shape.of(new long[finite.rank().orElseThrow()]));
  }

  private static Box bounds(Hyperslab slab) {
    long[] start = new long[slab.dimensions()];
    long[] end = new long[start.length];
    for (int d = 0; d < start.length; d++) {
      boolean endless = slab.countAt(d) == Shape.UNLIMITED || slab.blockAt(d) == Shape.UNLIMITED;
      start[d] = slab.startAt(d);
      end[d] =
          endless
              ? Long.MAX_VALUE
              : start[d] + (slab.countAt(d) - 1) * slab.strideAt(d) + slab.blockAt(d);
    }
    return new Box(start, end);
  }

  /** Returns whether the boxes leave it open that there is an element in common; cheap. */
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
   * Returns whether there is an element in common, exactly; may take as long as the selections are.
   */
  default boolean meets(Footprint other) {
    return mayMeet(other)
        && (!(this instanceof Elements here && other instanceof Elements there)
            || here.selection.intersects(there.selection));
  }
}
