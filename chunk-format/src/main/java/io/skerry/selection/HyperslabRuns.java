package io.skerry.selection;

import io.skerry.chunk.dataspace.HyperslabDimension;
import java.util.Arrays;

/**
 * The runs of a hyperslab. They are enumerated with two counters for each dimension, the block and
 * the coordinate within the block, without a list of blocks.
 */
final class HyperslabRuns implements RunSource {
  /** The dimensions up to the one that contains the runs; later ones cover the entire extent. */
  private final HyperslabDimension[] along;

  /**
   * For each dimension, the number of elements of the extent that share the coordinates up to and
   * including that dimension.
   */
  private final long[] under;

  private final long[] block;

  /**
   * For each dimension, the coordinate within the current block; unused in the last dimension,
   * where a block is a run.
   */
  private final long[] inBlock;

  private boolean begun;

  HyperslabRuns(Hyperslab slab, Shape extent) {
    HyperslabDimension[] all = slab.progressions();
    long[] step = extent.steps();
    int runs = all.length - 1;
    while (runs > 0 && all[runs].count() == 1 && all[runs].block() == extent.extent(runs)) {
      runs--;
    }
    this.along = Arrays.copyOf(all, runs + 1);
    this.under = step;
    this.block = new long[along.length];
    this.inBlock = new long[along.length];
  }

  @Override
  public boolean advance() {
    if (!begun) {
      begun = true;
      return true;
    }
    int last = along.length - 1;
    for (int d = last; d >= 0; d--) {
      if (d < last && ++inBlock[d] < along[d].block()) {
        return true;
      }
      inBlock[d] = 0;
      if (++block[d] < along[d].count()) {
        return true;
      }
      block[d] = 0;
    }
    return false;
  }

  @Override
  public long offset() {
    long offset = 0;
    for (int d = 0; d < along.length; d++) {
      offset += (along[d].startOf(block[d]) + inBlock[d]) * under[d];
    }
    return offset;
  }

  @Override
  public long length() {
    int last = along.length - 1;
    return along[last].block() * under[last];
  }

  @Override
  public void restart() {
    begun = false;
    Arrays.fill(block, 0);
    Arrays.fill(inBlock, 0);
  }
}
