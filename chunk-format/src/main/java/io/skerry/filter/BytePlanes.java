package io.skerry.filter;

/**
 * A hint about the structure of bytes: planes of equal length, one after the other, each with bytes
 * of one significance, as the shuffle filter makes them. Further bytes may follow the last plane.
 *
 * @param length bytes of a plane; 0 if unknown
 */
public record BytePlanes(long length) {
  /** No hint. */
  public static final BytePlanes UNKNOWN = new BytePlanes(0);
}
