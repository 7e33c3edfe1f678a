package io.skerry.format.layout;

/** Whether the chunks of a dataset pass through filters: whether its pipeline has any. */
public enum Filtering {
  /** The dataset has no filter. */
  UNFILTERED,
  /** At least one section has at least one filter. */
  FILTERED
}
