package io.skerry.format.vds;

import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;

/**
 * An unlimited selection of a mapping, cut to what there is. The blocks of the unlimited dimension
 * become as many as fill a number of slices, the last one perhaps in part.
 */
public final class UnlimitedPart {
  private final Hyperslab slab;
  private final int dimension;
  private final UnlimitedDimension slices;

  /**
   * @param slab a pattern that is unlimited in one dimension
   */
  public UnlimitedPart(Hyperslab slab, int dimension) {
    this.slab = slab;
    this.dimension = dimension;
    this.slices = UnlimitedDimension.of(slab, dimension);
  }

  /** UnlimitedDimension of the pattern within an extent of its unlimited dimension. */
  public long slicesWithin(long extent) {
    return slices.within(extent);
  }

  /** Extent of the unlimited dimension that so many slices reach; 0 if there is none. */
  public long extentOf(long count) {
    return slices.extent(count);
  }

  /** The first slices of the pattern. */
  public Selection first(long count) {
    if (count == 0) {
      return Selection.none();
    }
    long[] extent = new long[slab.dimensions()];
    for (int d = 0; d < extent.length; d++) {
      extent[d] = d == dimension ? extentOf(count) : endAt(d);
    }
    return slab.resolve(Shape.of(extent));
  }

  private long endAt(int d) {
    return slab.startAt(d) + (slab.countAt(d) - 1) * slab.strideAt(d) + slab.blockAt(d);
  }

  /** The block of that number, from 0. */
  public Selection block(long number) {
    long[] start = new long[slab.dimensions()];
    long[] stride = new long[start.length];
    long[] count = new long[start.length];
    long[] block = new long[start.length];
    for (int d = 0; d < start.length; d++) {
      start[d] = slab.startAt(d);
      stride[d] = slab.strideAt(d);
      count[d] = slab.countAt(d);
      block[d] = slab.blockAt(d);
    }
    start[dimension] =
        Math.addExact(start[dimension], Math.multiplyExact(number, stride[dimension]));
    count[dimension] = 1;
    return Selection.at(start).stride(stride).count(count).block(block);
  }

  /** Extent of the unlimited dimension that so many whole blocks reach; 0 if there is none. */
  public long extentOfBlocks(long blocks) {
    if (blocks == 0) {
      return 0;
    }
    long last = Math.multiplyExact(blocks - 1, slab.strideAt(dimension));
    return Math.addExact(Math.addExact(slab.startAt(dimension), last), slab.blockAt(dimension));
  }

  /** Number of blocks that begin within an extent. */
  public long blocksWithin(long extent) {
    long from = slab.startAt(dimension);
    return extent <= from ? 0 : Math.ceilDiv(extent - from, slab.strideAt(dimension));
  }
}
