package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.SpanTree;
import io.skerry.selection.Shape;
import java.util.List;

/**
 * Cuts a set by a chunk grid: one walk over its runs in row-major order, each split at the chunk
 * borders of its dimension. Inside one chunk row-major order is that of the whole, so every chunk
 * just collects what comes. Where the dimensions below are complete in both the set and the chunk,
 * a span of a higher dimension is one run.
 */
final class RegionCut {
  private final ChunkGrid grid;
  private final SliceCollector chunks;
  private final long[] step;

  /** Elements under one coordinate, if chunks span the extent of all dimensions below; else 0. */
  private final long[] fold;

  private RegionCut(ChunkGrid grid, Shape extent) {
    this.grid = grid;
    int rank = grid.rank();
    chunks = new SliceCollector(rank);
    step = new long[rank];
    fold = new long[rank];
    long product = 1;
    boolean spanned = true;
    for (int d = rank - 1; d >= 0; d--) {
      step[d] = product;
      fold[d] = spanned ? product : 0;
      spanned &= grid.size(d) == extent.extent(d);
      product *= grid.size(d);
    }
  }

  static List<ChunkSlice> cut(ChunkGrid grid, Shape extent, SpanTree tree) {
    RegionCut cut = new RegionCut(grid, extent);
    cut.walk(tree, 0, SliceCollector.ROOT, 0, 0);
    return cut.chunks.slices(grid, extent);
  }

  /**
   * Walks over the elements under some coordinates.
   *
   * @param chunk number of the chunk's coordinates in the dimensions before
   * @param index of the coordinates in the chunk
   * @param place number of selected elements before
   */
  private void walk(SpanTree tree, int d, int chunk, long index, long place) {
    long size = grid.size(d);
    for (int i = 0; i < tree.spans(); i++) {
      SpanTree down = tree.child(i);
      boolean whole = down.count() == fold[d];
      long at = place + tree.before(i);
      long from = tree.lo(i);
      while (from < tree.hi(i)) {
        long scaled = from / size;
        long inChunk = from - scaled * size;
        long length = Math.min(tree.hi(i) - from, size - inChunk);
        int next = chunks.find(chunk, scaled);
        long start = index + inChunk * step[d];
        if (whole) {
          collect(d, next, start, at, length);
        } else {
          for (long row = 0; row < length; row++) {
            walk(down, d + 1, next, start + row * step[d], at + row * down.count());
          }
        }
        at += length * down.count();
        from += length;
      }
    }
  }

  /** Gives a chunk, which is the only one along the dimensions below, coordinates of this one. */
  private void collect(int d, int found, long index, long place, long coordinates) {
    int chunk = found;
    for (int below = d + 1; below < grid.rank(); below++) {
      chunk = chunks.find(chunk, 0);
    }
    chunks.map(chunk).add(index, place, coordinates * fold[d]);
  }
}
