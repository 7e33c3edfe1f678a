package io.skerry.integration.lifecycle;

import io.skerry.integration.random.RandomChoice;

/** The operations of a run. A check follows most operations. */
public enum DatasetOperation {
  /** A write of any selection. */
  WRITE(28),
  /** A write of points that were written before. */
  OVERWRITE(14),
  /** An erasure of any selection of a sparse dataset. */
  ERASE(14),
  /** An erasure of all elements, and a check that no chunk is stored afterwards. */
  ERASE_ALL(2),
  /** A change to an extent that is larger or equal in each dimension. */
  EXTEND(9),
  /** A change to an extent that is smaller or equal in each dimension. */
  SHRINK(6),
  /** A flush. */
  FLUSH(9),
  /** Closing the file and reopening it with new random options. */
  REOPEN(8),
  /**
   * A copy into a new file, which replaces the old one; chunks, filters and storage often change.
   */
  REPACK(3),
  /** A copy of a dataset within the file. */
  COPY_WITHIN(4),
  /** A copy of a dataset, or of all objects, into another file. */
  COPY_OUT(3);

  private final int weight;

  DatasetOperation(int weight) {
    this.weight = weight;
  }

  static DatasetOperation next(RandomChoice draw) {
    int sum = 0;
    for (DatasetOperation change : values()) {
      sum += change.weight;
    }
    int roll = draw.below(sum);
    for (DatasetOperation change : values()) {
      roll -= change.weight;
      if (roll < 0) {
        return change;
      }
    }
    throw new IllegalStateException();
  }
}
