package io.skerry.testkit.matrix;

import io.skerry.parallel.WriteMode;

/** When chunks are stored. */
public enum Mode {
  /** By the next flush. */
  WRITE_BACK(WriteMode.BACK),
  /** By the write itself. */
  WRITE_THROUGH(WriteMode.THROUGH);

  private final WriteMode mode;

  Mode(WriteMode mode) {
    this.mode = mode;
  }

  WriteMode mode() {
    return mode;
  }
}
