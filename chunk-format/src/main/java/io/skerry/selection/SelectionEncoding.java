package io.skerry.selection;

/** The encoding in which a selection is written. All encodings can be read. */
public enum SelectionEncoding {
  /** The smallest encoding: version 3 for blocks and regular hyperslabs, version 2 for points. */
  SMALLEST,
  /** Version 1, with regular hyperslabs written as blocks; coordinates are at most 2^32-1. */
  V1,
  /** The encoding that the HDF5 library chooses if the low version bound is "earliest". */
  LIBRARY_EARLIEST,
  /** The encoding that the HDF5 library chooses if the low version bound is 1.10. */
  LIBRARY_V110,
  /** The encoding that the HDF5 library chooses if the low version bound is 1.12 or later. */
  LIBRARY_V112
}
