package io.skerry.filter;

/** The treatment of a filter that fails in a write; bit 0 of the stored flags. */
public enum FilterFlag {
  /** The write fails. */
  MANDATORY,
  /** The filter is skipped, and its bit in the mask of the chunk is set. */
  OPTIONAL;

  /** The stored flags. */
  public int bits() {
    return ordinal();
  }

  /** Decodes the stored flags; bits above 0 are reserved and ignored. */
  public static FilterFlag ofBits(int bits) {
    return (bits & 1) == 0 ? MANDATORY : OPTIONAL;
  }
}
