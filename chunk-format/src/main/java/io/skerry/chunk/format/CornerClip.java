package io.skerry.chunk.format;

import io.skerry.chunk.dataspace.RunSet;

/**
 * Intersects a run set with a box at the origin of a chunk, by iterating over the runs rather than
 * over the box.
 */
final class CornerClip {
  private final long[] shape;
  private final long[] valid;

  /**
   * The last dimension in which the box is smaller than the chunk; -1 if there is none. For given
   * coordinates in the earlier dimensions, the elements inside the box are contiguous.
   */
  private final int partial;

  /** The number of elements for each coordinate of the dimension {@link #partial}. */
  private final long inner;

  private final RunSet.Builder out = new RunSet.Builder();

  private CornerClip(long[] shape, long[] valid) {
    this.shape = shape;
    this.valid = valid;
    int d = shape.length - 1;
    long elements = 1;
    while (d >= 0 && valid[d] == shape[d]) {
      elements *= shape[d];
      d--;
    }
    this.partial = d;
    this.inner = elements;
  }

  static RunSet clip(RunSet elements, long[] shape, long[] valid) {
    CornerClip clip = new CornerClip(shape, valid);
    if (clip.partial < 0) {
      return elements;
    }
    for (long size : valid) {
      if (size == 0) {
        return RunSet.empty();
      }
    }
    for (int i = 0; i < elements.runs(); i++) {
      clip.add(elements.start(i), elements.end(i));
    }
    return clip.out.build();
  }

  /**
   * Adds the part of one run that is inside the box, one row of the partial dimension at a time.
   */
  private void add(long start, long end) {
    long period = shape[partial] * inner;
    long kept = valid[partial] * inner;
    for (long row = start / period; row * period < end; row++) {
      long from = Math.max(start, row * period);
      long to = Math.min(end, row * period + kept);
      if (from < to && isRowInside(row)) {
        out.add(from, to);
      }
    }
  }

  private boolean isRowInside(long row) {
    long rest = row;
    for (int d = partial - 1; d >= 0; d--) {
      if (rest % shape[d] >= valid[d]) {
        return false;
      }
      rest /= shape[d];
    }
    return true;
  }
}
