package io.skerry.filter;

/**
 * What a filter is told of the bytes it gets: planes of equal length, one behind the other, each of
 * bytes that are like each other, as shuffle leaves them. There may be some bytes after the last.
 *
 * @param length bytes of a plane; 0 if nothing is known
 */
public record BytePlanes(long length) {
  /** Nothing is known. */
  public static final BytePlanes UNKNOWN = new BytePlanes(0);
}
