package io.skerry.testkit.dataset;

import io.skerry.testkit.written.Draw;

/** Operations of a trial. Reading is none of them: it follows each. */
public enum Change {
  /** Of any selection. */
  WRITE(28),
  /** Of points that have been written before. */
  OVERWRITE(14),
  /** Of any selection of a sparse dataset. */
  ERASE(14),
  /** Of everything, and a look whether anything is stored then. */
  ERASE_ALL(2),
  /** To a larger extent. */
  EXTEND(9),
  /** To a smaller extent. */
  SHRINK(6),
  /** Of what is in memory. */
  FLUSH(9),
  /** After closing, with other limits of memory. */
  REOPEN(8),
  /**
   * Into a new file, often with other chunks, filters and storage, that takes the old one's place.
   */
  REPACK(3),
  /** Of a dataset to another name. */
  COPY_WITHIN(4),
  /** Of a dataset, or of everything, into another file. */
  COPY_OUT(3);

  private final int weight;

  Change(int weight) {
    this.weight = weight;
  }

  static Change next(Draw draw) {
    int sum = 0;
    for (Change change : values()) {
      sum += change.weight;
    }
    int roll = draw.below(sum);
    for (Change change : values()) {
      roll -= change.weight;
      if (roll < 0) {
        return change;
      }
    }
    throw new IllegalStateException();
  }
}
