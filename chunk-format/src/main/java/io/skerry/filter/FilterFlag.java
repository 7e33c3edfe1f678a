package io.skerry.filter;

/** What happens when a filter cannot do its work while writing; bit 0 of the stored flags. */
public enum FilterFlag {
  /** The write fails. */
  MANDATORY,
  /** The filter is skipped and the chunk's mask says so. */
  OPTIONAL;

  /** The stored flags. */
  public int bits() {
    return ordinal();
  }

  /** From the stored flags; the bits above 0 are reserved and ignored. */
  public static FilterFlag ofBits(int bits) {
    return (bits & 1) == 0 ? MANDATORY : OPTIONAL;
  }
}
