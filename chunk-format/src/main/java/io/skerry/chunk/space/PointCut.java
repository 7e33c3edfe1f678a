package io.skerry.chunk.space;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a list of points by a chunk grid: points are sorted by chunk, then by element, then by their
 * place in the list, so that the last of repeated points comes last.
 */
final class PointCut {
  /** Up to here a quotient found by floating point is off by one at most. */
  private static final long EXACT = 1L << 52;

  private final ChunkGrid grid;
  private final Shape extent;
  private final GridWindow window;
  private final PointList points;
  private final long[] key;
  private final long[] index;

  private PointCut(ChunkGrid grid, Shape extent, PointList points) {
    this.grid = grid;
    this.extent = extent;
    this.points = points;
    this.window = new GridWindow(grid, points.bounds());
    this.key = new long[points.size()];
    this.index = new long[points.size()];
  }

  static List<ChunkSlice> cut(ChunkGrid grid, Shape extent, PointList points) {
    PointCut cut = new PointCut(grid, extent, points);
    for (int d = 0; d < grid.rank(); d++) {
      cut.locate(d);
    }
    return cut.fitsOneKey() ? cut.byOneKey() : cut.byTwoKeys();
  }

  private void locate(int d) {
    int rank = grid.rank();
    long[] flat = points.flat();
    long size = grid.size(d);
    double inverse = 1.0 / size;
    boolean exact = points.bounds().end(d) <= EXACT;
    long origin = window.key(d, 0);
    long step = window.key(d, 1) - origin;
    for (int p = 0, at = d; p < key.length; p++, at += rank) {
      long coordinate = flat[at];
      long scaled = exact ? (long) (coordinate * inverse) : coordinate / size;
      long rest = coordinate - scaled * size;
      if (rest < 0) {
        scaled--;
        rest += size;
      } else if (rest >= size) {
        scaled++;
        rest -= size;
      }
      key[p] += origin + scaled * step;
      index[p] = index[p] * size + rest;
    }
  }

  private boolean fitsOneKey() {
    long max = 0;
    for (long chunk : key) {
      max = Math.max(max, chunk);
    }
    return max < Long.MAX_VALUE / grid.elements() - 1;
  }

  private List<ChunkSlice> byOneKey() {
    long elements = grid.elements();
    for (int p = 0; p < key.length; p++) {
      key[p] = key[p] * elements + index[p];
    }
    SortOrder sorted = SortOrder.of(key);
    long[] keys = sorted.keys();
    List<ChunkSlice> slices = new ArrayList<>();
    int at = 0;
    while (at < keys.length) {
      long chunk = keys[at] / elements;
      long base = chunk * elements;
      int end = at;
      while (end < keys.length && keys[end] - base < elements) {
        end++;
      }
      PackedMap map = new PackedMap(end - at);
      for (; at < end; at++) {
        map.add(keys[at] - base, sorted.order()[at], 1);
      }
      slices.add(grid.slice(window, chunk, extent, map));
    }
    return slices;
  }

  private List<ChunkSlice> byTwoKeys() {
    SortOrder sorted = SortOrder.refine(SortOrder.of(index).order(), key);
    long[] keys = sorted.keys();
    List<ChunkSlice> slices = new ArrayList<>();
    int at = 0;
    while (at < keys.length) {
      long chunk = keys[at];
      PackedMap map = new PackedMap(4);
      for (; at < keys.length && keys[at] == chunk; at++) {
        map.add(index[sorted.order()[at]], sorted.order()[at], 1);
      }
      slices.add(grid.slice(window, chunk, extent, map));
    }
    return slices;
  }
}
