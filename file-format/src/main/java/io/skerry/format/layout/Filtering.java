package io.skerry.format.layout;

/** Presence of filters in the pipeline of a dataset. */
public enum Filtering {
  /** The dataset has no filters. */
  UNFILTERED,
  /** The dataset has at least one filter; for structured chunks, in at least one section. */
  FILTERED
}
