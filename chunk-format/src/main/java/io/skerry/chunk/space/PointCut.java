package io.skerry.chunk.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a list of points by a chunk grid: points are sorted by chunk, then by element, then by their
 * place in the list, so that the last of repeated points comes last.
 */
final class PointCut {
  private final ChunkGrid grid;
  private final GridWindow window;
  private final PointList points;
  private final long[] key;
  private final long[] index;

  private PointCut(ChunkGrid grid, PointList points) {
    this.grid = grid;
    this.points = points;
    this.window = new GridWindow(grid, points.bounds());
    this.key = new long[points.size()];
    this.index = new long[points.size()];
  }

  static List<ChunkSlice> cut(ChunkGrid grid, Shape extent, PointList points) {
    PointCut cut = new PointCut(grid, points);
    cut.locate();
    return cut.group(extent);
  }

  private void locate() {
    int rank = grid.rank();
    long[] flat = points.flat();
    for (int p = 0; p < key.length; p++) {
      long chunk = 0;
      long element = 0;
      for (int d = 0; d < rank; d++) {
        long coordinate = flat[p * rank + d];
        long size = grid.size(d);
        long scaled = coordinate / size;
        chunk += window.key(d, scaled);
        element = element * size + coordinate - scaled * size;
      }
      key[p] = chunk;
      index[p] = element;
    }
  }

  private int[] order() {
    long max = Arrays.stream(key).max().orElse(0);
    if (max >= Long.MAX_VALUE / grid.elements() - 1) {
      return SortOrder.refine(SortOrder.of(index), key);
    }
    long[] both = new long[key.length];
    for (int p = 0; p < both.length; p++) {
      both[p] = key[p] * grid.elements() + index[p];
    }
    return SortOrder.of(both);
  }

  private List<ChunkSlice> group(Shape extent) {
    int[] order = order();
    List<ChunkSlice> slices = new ArrayList<>();
    int at = 0;
    while (at < order.length) {
      long chunk = key[order[at]];
      PackedMap map = new PackedMap();
      while (at < order.length && key[order[at]] == chunk) {
        map.add(index[order[at]], order[at], 1);
        at++;
      }
      slices.add(grid.slice(window, chunk, extent, map));
    }
    return slices;
  }
}
