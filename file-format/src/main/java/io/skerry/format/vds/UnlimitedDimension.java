package io.skerry.format.vds;

import io.skerry.selection.Hyperslab;
import io.skerry.selection.Shape;

/**
 * The slices of an unlimited hyperslab along its unlimited dimension: equally spaced blocks of
 * equal size, or consecutive slices without gaps.
 *
 * @param start the index of the first slice
 * @param stride the distance in slices between the starts of consecutive blocks; 1 if there are no
 *     gaps
 * @param block the number of slices per block; 1 if there are no gaps
 */
record UnlimitedDimension(long start, long stride, long block) {
  static UnlimitedDimension of(Hyperslab slab, int dimension) {
    long block = slab.blockAt(dimension);
    long stride = slab.strideAt(dimension);
    return block == Shape.UNLIMITED || block >= stride
        ? new UnlimitedDimension(slab.startAt(dimension), 1, 1)
        : new UnlimitedDimension(slab.startAt(dimension), stride, block);
  }

  /** Returns the number of selected slices within the given extent. */
  long within(long extent) {
    if (extent <= start) {
      return 0;
    }
    long blocks = Math.ceilDiv(extent - start, stride);
    long last = start + (blocks - 1) * stride;
    return (blocks - 1) * block + Math.min(block, extent - last);
  }

  /** Returns the greatest extent that contains no more than the given number of slices. */
  long extentBefore(long slices) {
    return slices % block == 0
        ? Math.addExact(start, Math.multiplyExact(slices / block, stride))
        : extent(slices);
  }

  /** Returns the smallest extent that contains the given number of selected slices; 0 for none. */
  long extent(long slices) {
    if (slices == 0) {
      return 0;
    }
    long blocks = (slices - 1) / block;
    return Math.addExact(
        Math.addExact(start, Math.multiplyExact(blocks, stride)), slices - blocks * block);
  }
}
