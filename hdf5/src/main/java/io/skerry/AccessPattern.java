package io.skerry;

/** The order in which a dataset will mostly be read. Skerry chooses the chunk shape accordingly. */
public enum AccessPattern {
  /**
   * In arbitrary blocks: starting from the extent of the dataset, the chunk is halved along each
   * dimension in turn.
   */
  BLOCKS,
  /**
   * Along the last dimensions, frame by frame or row by row: the chunk is made smaller along these
   * dimensions last.
   */
  ROWS,
  /**
   * Along the first dimensions, such as a time series of one pixel: the chunk is made smaller along
   * these dimensions last.
   */
  COLUMNS
}
