package io.skerry.format.layout;

/** Presence of filters in the pipeline of a dataset. */
public enum Filtering {
  /** The dataset has no filter. */
  UNFILTERED,
  /** At least one section has at least one filter. */
  FILTERED
}
