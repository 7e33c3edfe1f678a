package io.skerry.integration.matrix;

import io.skerry.parallel.WriteMode;

/** The time at which chunks are stored. */
public enum StoringMode {
  /** The next flush, at the latest, stores chunks. */
  WRITE_BACK(WriteMode.BACK),
  /** The write itself stores chunks. */
  WRITE_THROUGH(WriteMode.THROUGH);

  private final WriteMode mode;

  StoringMode(WriteMode mode) {
    this.mode = mode;
  }

  WriteMode mode() {
    return mode;
  }
}
