package io.skerry.filter;

/** How szip prepares the values that its entropy coder gets. */
public enum SzipCoding {
  /** The values as they are: for data without a trend, small numbers. */
  ENTROPY(4),
  /** Differences between neighbours: for smooth data. */
  NEAREST_NEIGHBOUR(32);

  /** Option: the parameter k of the Rice code may be up to 13. */
  private static final int K13 = 1;

  /** Option: no header of szip's own before the data. */
  private static final int RAW = 128;

  private static final int MAX_BLOCK = 32;

  private final int mask;

  SzipCoding(int mask) {
    this.mask = mask;
  }

  /** Its bit in the options mask. */
  public int mask() {
    return mask;
  }

  /** The client data of a filter that is not bound to a dataset yet. */
  int[] clientData(int pixelsPerBlock) {
    if (pixelsPerBlock < 2 || pixelsPerBlock > MAX_BLOCK || pixelsPerBlock % 2 != 0) {
      throw new IllegalArgumentException(
          "szip pixels per block must be even, 2..32: pixelsPerBlock=" + pixelsPerBlock);
    }
    return new int[] {mask | K13 | RAW, pixelsPerBlock};
  }
}
