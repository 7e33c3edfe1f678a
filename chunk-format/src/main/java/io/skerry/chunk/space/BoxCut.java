package io.skerry.chunk.space;

import java.util.ArrayList;
import java.util.List;

/** Cuts one box by a chunk grid: what it takes from a chunk is a box again. */
final class BoxCut {
  private BoxCut() {}

  static List<ChunkSlice> cut(ChunkGrid grid, Shape extent, Box box) {
    GridWindow window = new GridWindow(grid, box);
    long[] sizes = grid.sizes();
    int rank = grid.rank();
    long[] shape = new long[rank];
    for (int d = 0; d < rank; d++) {
      shape[d] = box.end(d) - box.start(d);
    }
    List<ChunkSlice> slices = new ArrayList<>();
    for (long key = 0; key < window.chunks(); key++) {
      long[] scaled = window.scaled(key);
      long[] inChunk = new long[rank];
      long[] inBox = new long[rank];
      long[] size = new long[rank];
      for (int d = 0; d < rank; d++) {
        long origin = scaled[d] * sizes[d];
        long from = Math.max(box.start(d), origin);
        // Not its end, which may be beyond the largest number.
        size[d] = Math.min(box.end(d) - from, sizes[d] - (from - origin));
        inChunk[d] = from - origin;
        inBox[d] = from - box.start(d);
      }
      RunSet elements = BoxRuns.of(inChunk, size, sizes).elements();
      ValueMap map = new BoxMap(BoxRuns.of(inBox, size, shape));
      slices.add(grid.slice(scaled, extent, elements, map));
    }
    return slices;
  }
}
