package io.skerry.selection;

/** Which of the valid encodings of a selection to write. All are readable in any case. */
public enum SelectionEncoding {
  /** The one that takes the fewest bytes: version 3 blocks or patterns, version 2 points. */
  SMALLEST,
  /** Version 1 of everything, patterns written out as blocks: coordinates up to 2^32 - 1. */
  V1,
  /** What the HDF5 library chooses at its earliest low bound. */
  LIBRARY_EARLIEST,
  /** What the HDF5 library chooses at low bound 1.10. */
  LIBRARY_V110,
  /** What the HDF5 library chooses at low bound 1.12 and later. */
  LIBRARY_V112
}
