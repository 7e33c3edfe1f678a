package io.skerry.format.vds;

import io.skerry.selection.Hyperslab;
import io.skerry.selection.Shape;

/**
 * How an unlimited pattern goes on in its unlimited dimension: blocks of so many slices at equal
 * distances, or slices without a gap.
 *
 * @param start first slice
 * @param stride from block to block; 1 if there are no gaps
 * @param block slices per block; 1 if there are no gaps
 */
record UnlimitedDimension(long start, long stride, long block) {
  static UnlimitedDimension of(Hyperslab slab, int dimension) {
    long block = slab.blockAt(dimension);
    long stride = slab.strideAt(dimension);
    return block == Shape.UNLIMITED || block >= stride
        ? new UnlimitedDimension(slab.startAt(dimension), 1, 1)
        : new UnlimitedDimension(slab.startAt(dimension), stride, block);
  }

  /** UnlimitedDimension within an extent. */
  long within(long extent) {
    if (extent <= start) {
      return 0;
    }
    long blocks = Math.ceilDiv(extent - start, stride);
    long last = start + (blocks - 1) * stride;
    return (blocks - 1) * block + Math.min(block, extent - last);
  }

  /** The extent at which there are so many slices; 0 if there is none. */
  long extent(long slices) {
    if (slices == 0) {
      return 0;
    }
    long blocks = (slices - 1) / block;
    return Math.addExact(
        Math.addExact(start, Math.multiplyExact(blocks, stride)), slices - blocks * block);
  }
}
