package io.skerry.iod.engine;

/**
 * The limits of a page. A page ends when it reaches either limit, but holds at least one item if
 * there is one.
 *
 * @param items the largest number of items, at least 1
 * @param bytes the number of bytes of keys and values at which a page ends, at least 1
 */
public record PageLimit(int items, long bytes) {
  /** Limits that keep a page within a few MiB. */
  public static final PageLimit DEFAULT = new PageLimit(4096, 4 << 20);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if one of them is below 1
   */
  public PageLimit {
    if (items < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "a page limit is too low: expected=at least 1 items=" + items + " bytes=" + bytes);
    }
  }
}
