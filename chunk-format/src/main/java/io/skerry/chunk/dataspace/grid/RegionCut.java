package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.SpanTree;
import io.skerry.selection.Shape;
import java.util.List;

/**
 * Cuts a set along the boundaries of a chunk grid, in one walk over its spans in row-major order.
 * Each span is split at the chunk borders of its dimension. Row-major order within a chunk agrees
 * with that of the whole set, so each chunk collects pieces in the order in which they are found.
 * If the chunks span the extent in all later dimensions, and the set contains all elements there,
 * the part of a span in a chunk is a single run.
 */
final class RegionCut {
  private final ChunkGrid grid;
  private final SliceCollector chunks;
  private final long[] step;

  /**
   * For each dimension, the number of elements per coordinate if the chunks span the extent in all
   * later dimensions; otherwise 0.
   */
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
   * Visits the elements that have the given coordinates in the dimensions before {@code d}.
   *
   * @param tree the elements in dimension {@code d} and all later dimensions
   * @param chunk number by which {@link SliceCollector} identifies the chunk's coordinates in the
   *     dimensions before {@code d}
   * @param index row-major index of the coordinates in the chunk
   * @param place number of selected elements before these coordinates
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

  /**
   * Adds a run of coordinates in dimension {@code d} to a chunk that spans the extent in all later
   * dimensions.
   */
  private void collect(int d, int found, long index, long place, long coordinates) {
    int chunk = found;
    for (int below = d + 1; below < grid.rank(); below++) {
      chunk = chunks.find(chunk, 0);
    }
    chunks.map(chunk).add(index, place, coordinates * fold[d]);
  }
}
