package io.skerry;

/** How a dataset will mostly be read, which decides the chunk shape that is guessed for it. */
public enum AccessPattern {
  /** Any block: chunks are cut alike in all dimensions. */
  BLOCKS,
  /**
   * Along the last dimensions, frame by frame or row by row: these stay whole as long as can be.
   */
  ROWS,
  /** Along the first dimensions, as a series at one place: these stay whole as long as can be. */
  COLUMNS
}
