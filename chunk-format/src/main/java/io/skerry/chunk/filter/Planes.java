package io.skerry.chunk.filter;

/**
 * What a filter is told of the bytes it gets: planes of equal length, one behind the other, each of
 * bytes that are like each other, as shuffle leaves them. There may be some bytes after the last.
 *
 * @param length bytes of a plane; 0 if nothing is known
 */
public record Planes(long length) {
  /** Nothing is known. */
  public static final Planes UNKNOWN = new Planes(0);
}
