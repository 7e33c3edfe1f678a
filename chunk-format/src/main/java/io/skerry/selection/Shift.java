package io.skerry.selection;

import java.util.Arrays;

/** Moves selections by an offset. */
final class Shift {
  private Shift() {}

  static Selection of(Selection selection, long[] offset) {
    if (selection.rank().isPresent() && selection.rank().getAsInt() != offset.length) {
      throw new IllegalArgumentException(
          "rank: selection=" + selection.rank().getAsInt() + " offset=" + offset.length);
    }
    return switch (selection) {
      case NoneSelection none -> none;
      case AllSelection _ -> throw SelectionAlgebra.needsExtent(selection);
      case Hyperslab slab -> shifted(slab, offset);
      case Region region -> {
        checkShift(region.bounds(), offset);
        yield Region.of(region.tree().shift(offset));
      }
      case PointList points -> {
        checkShift(points.bounds(), offset);
        long[] moved = points.flat().clone();
        Arrays.setAll(moved, i -> moved[i] + offset[i % offset.length]);
        yield PointList.of(offset.length, moved);
      }
    };
  }

  private static Selection shifted(Hyperslab slab, long[] offset) {
    int rank = slab.dimensions();
    long[][] parts = new long[4][rank];
    for (int d = 0; d < rank; d++) {
      parts[0][d] = moved(d, slab.startAt(d), offset[d]);
      parts[1][d] = slab.strideAt(d);
      parts[2][d] = slab.countAt(d);
      parts[3][d] = slab.blockAt(d);
    }
    return new Hyperslab(parts[0], parts[1], parts[2], parts[3]);
  }

  private static void checkShift(Box bounds, long[] offset) {
    for (int d = 0; d < offset.length; d++) {
      moved(d, bounds.start(d), offset[d]);
      moved(d, bounds.end(d), offset[d]);
    }
  }

  private static long moved(int dimension, long coordinate, long offset) {
    long result = coordinate + offset;
    if (result < 0) {
      throw new IllegalArgumentException(
          "shift leaves the dataspace: dimension="
              + dimension
              + " coordinate="
              + coordinate
              + " offset="
              + offset);
    }
    return result;
  }
}
