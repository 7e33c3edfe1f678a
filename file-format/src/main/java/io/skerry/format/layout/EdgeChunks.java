package io.skerry.format.layout;

/** Filtering of partial edge chunks, which extend beyond the extent of the dataset. */
public enum EdgeChunks {
  /** All chunks are filtered. */
  FILTERED,
  /** Partial edge chunks are stored unfiltered, with filter mask 0. */
  UNFILTERED
}
