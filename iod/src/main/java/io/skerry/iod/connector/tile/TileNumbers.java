package io.skerry.iod.connector.tile;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Shape;
import java.util.Arrays;

/**
 * The numbers of the tiles of a dataset. A number depends on the maximum extent and on the shape of
 * a tile only, so it stays the same when the extent changes. Immutable.
 *
 * <pre>
 * w(d)      tiles of dimension d within its maximum extent; unknown if it is unlimited
 * order     the first unlimited dimension, then the others ascending; the first varies slowest
 * number    the row-major number in this order, with these sizes:
 *           the slowest dimension has no size; a limited one has w(d); if k are unlimited, each has
 *           floor((2^63-1 / product of the limited w(d)) ^ (1/k))
 * </pre>
 *
 * <p>Without unlimited dimensions, the number is the row-major number of the tile in the extent. If
 * the limited sizes have no product below 2^63, all dimensions count as unlimited.
 */
final class TileNumbers {
  private static final long MOST = Long.MAX_VALUE;

  private final int[] order;
  private final long[] sizes;

  /** The number of tiles that the largest extent has in each dimension. */
  private final long[] most;

  private TileNumbers(int[] order, long[] sizes, long[] most) {
    this.order = order;
    this.sizes = sizes;
    this.most = most;
  }

  /**
   * Returns the tile numbers of a dataset.
   *
   * @param tile the shape of a tile in cells, with the rank of the extent
   */
  static TileNumbers of(Shape shape, long[] tile) {
    int rank = tile.length;
    long[] widths = new long[rank];
    Arrays.setAll(
        widths,
        d ->
            shape.maximum(d) == Shape.UNLIMITED
                ? 0
                : Math.max(1, Math.ceilDiv(shape.maximum(d), tile[d])));
    long[] most = new long[rank];
    Arrays.setAll(most, d -> widths[d] == 0 ? MOST / tile[d] : Math.min(widths[d], MOST / tile[d]));
    if (product(widths) == 0) {
      Arrays.fill(widths, 0);
    }
    int[] order = new int[rank];
    int slowest = slowest(widths);
    order[0] = slowest;
    for (int d = 0, at = 1; d < rank; d++) {
      if (d != slowest) {
        order[at] = d;
        at++;
      }
    }
    return new TileNumbers(order, sizes(widths), most);
  }

  /** Returns the product of the limited sizes; 0 if it exceeds 2^63-1. */
  private static long product(long[] widths) {
    long product = 1;
    for (long width : widths) {
      if (width > 0) {
        if (Math.multiplyHigh(product, width) != 0 || product * width < 0) {
          return 0;
        }
        product *= width;
      }
    }
    return product;
  }

  private static int slowest(long[] widths) {
    for (int d = 0; d < widths.length; d++) {
      if (widths[d] == 0) {
        return d;
      }
    }
    return 0;
  }

  private static long[] sizes(long[] widths) {
    int open = 0;
    for (long width : widths) {
      open += width == 0 ? 1 : 0;
    }
    long[] sizes = widths.clone();
    if (open > 1) {
      long each = root(MOST / product(widths), open);
      Arrays.setAll(sizes, d -> widths[d] == 0 ? each : widths[d]);
    }
    return sizes;
  }

  /** Returns the largest number whose {@code power}-th power does not exceed {@code value}. */
  private static long root(long value, int power) {
    long low = 1;
    long high = power == 1 ? value : 1L << (63 / power + 1);
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      if (powerExceeds(middle, power, value)) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return low;
  }

  private static boolean powerExceeds(long base, int power, long value) {
    long rest = value;
    for (int i = 0; i < power; i++) {
      rest /= base;
    }
    return rest == 0;
  }

  /**
   * Returns the number of a tile.
   *
   * @param scaled the coordinates of the tile in the grid
   * @throws UnsupportedFeatureException if a coordinate or the number is too large
   */
  long number(long[] scaled) {
    long number = 0;
    for (int i = 0; i < order.length; i++) {
      int d = order[i];
      boolean fits = i == 0 || scaled[d] < sizes[d];
      long before = i == 0 ? 0 : number * sizes[d];
      if (!fits
          || i > 0 && Math.multiplyHigh(number, sizes[d]) != 0
          || before < 0
          || before > MOST - scaled[d]) {
        throw new UnsupportedFeatureException(
            "a tile whose number exceeds 2^63-1: coordinates="
                + Arrays.toString(scaled)
                + " largest="
                + Arrays.toString(sizes),
            "a dataset that can grow in several dimensions");
      }
      number = before + scaled[d];
    }
    return number;
  }

  /**
   * Returns the coordinates of a tile in the grid.
   *
   * @throws FormatException if no tile has the number
   */
  long[] scaled(long number) {
    if (number < 0) {
      throw new FormatException("number of a tile", "0 to 2^63-1", Long.toUnsignedString(number));
    }
    long[] scaled = new long[order.length];
    long rest = number;
    for (int i = order.length - 1; i > 0; i--) {
      int d = order[i];
      scaled[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    scaled[order[0]] = rest;
    for (int d = 0; d < scaled.length; d++) {
      if (scaled[d] >= most[d]) {
        throw new FormatException(
            "number of a tile",
            "one within " + Arrays.toString(most) + " tiles",
            number + " at " + Arrays.toString(scaled));
      }
    }
    return scaled;
  }
}
