package io.skerry.integration.matrix;

import io.skerry.parallel.WriteMode;

/** The time at which chunks are stored. */
public enum StoringMode {
  /** Chunks are stored by the next flush at the latest. */
  WRITE_BACK(WriteMode.BACK),
  /** Chunks are stored by the write itself. */
  WRITE_THROUGH(WriteMode.THROUGH);

  private final WriteMode mode;

  StoringMode(WriteMode mode) {
    this.mode = mode;
  }

  WriteMode mode() {
    return mode;
  }
}
