package io.skerry.jobs.virtual;

import java.util.Locale;

/** The arrangement of the sources in a virtual dataset. */
public enum Arrangement {
  /** Each source becomes one index of a new first dimension. */
  STACK,
  /** The sources are concatenated along one of their dimensions. */
  CONCAT,
  /** The sources are the tiles of a grid in their last two dimensions, in row-major order. */
  TILE,
  /** One source per block along the first dimension, named by a pattern with {@code %b}. */
  PATTERN,
  /** The mappings are listed in a JSON file. */
  LIST;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
