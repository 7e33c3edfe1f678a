package io.skerry.filter;

/** How szip prepares the values that its entropy coder gets. */
public enum SzipCoding {
  /** The values as they are: for data without a trend, small numbers. */
  ENTROPY(4),
  /** Differences between neighbours: for smooth data. */
  NEAREST_NEIGHBOUR(32);

  private final int mask;

  SzipCoding(int mask) {
    this.mask = mask;
  }

  /** Its bit in the options mask. */
  public int mask() {
    return mask;
  }
}
