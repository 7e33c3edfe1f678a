package io.skerry.format.layout;

/** Whether filters apply to chunks that stick out over the extent. */
public enum EdgeChunks {
  /** All chunks are filtered. */
  FILTERED,
  /** Partial chunks at the edge are stored without filters, their mask 0. */
  UNFILTERED
}
