package io.skerry.chunk.space;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a block that lies in a few chunks. {@link PatternCut} gives the same, but makes tables for
 * many chunks, which a small read of chunks in memory would spend most of its time on.
 */
final class BlockCut {
  /** Of more chunks many get the same elements, which are then made once. */
  private static final long MOST_CHUNKS = 8;

  private final ChunkGrid grid;
  private final Shape extent;
  private final Hyperslab block;

  /** The chunk that is being cut; the first one to begin with. */
  private final long[] scaled;

  /** Number of chunks, or a number that is too great as well. */
  private final long chunks;

  private BlockCut(ChunkGrid grid, Shape extent, Hyperslab block) {
    this.grid = grid;
    this.extent = extent;
    this.block = block;
    this.scaled = new long[grid.rank()];
    long product = 1;
    for (int d = 0; d < scaled.length; d++) {
      scaled[d] = block.startAt(d) / grid.size(d);
      product = Math.min(product, MOST_CHUNKS + 1) * Math.min(along(d), MOST_CHUNKS + 1);
    }
    this.chunks = product;
  }

  /** Number of chunks in a dimension, from the present one on. */
  private long along(int d) {
    long end = block.startAt(d) - scaled[d] * grid.size(d) + block.blockAt(d);
    return end <= grid.size(d) ? 1 : (end - 1) / grid.size(d) + 1;
  }

  /**
   * Cuts a block that is finite and not empty.
   *
   * @return nothing if it lies in too many chunks
   */
  static List<ChunkSlice> cut(ChunkGrid grid, Shape extent, Hyperslab block) {
    BlockCut cut = new BlockCut(grid, extent, block);
    if (cut.chunks == 1) {
      return List.of(cut.onlySlice());
    }
    return cut.chunks <= MOST_CHUNKS ? cut.slices() : List.of();
  }

  private ChunkSlice onlySlice() {
    RunSet elements = elements();
    return grid.slice(scaled, extent, elements, new WholeMap(elements.count()));
  }

  private List<ChunkSlice> slices() {
    List<ChunkSlice> slices = new ArrayList<>((int) chunks);
    long[] first = scaled.clone();
    while (slices.size() < chunks) {
      slices.add(grid.slice(scaled.clone(), extent, elements(), map()));
      int d = scaled.length - 1;
      while (d >= 0 && along(d) == 1) {
        scaled[d] = first[d];
        d--;
      }
      if (d >= 0) {
        scaled[d]++;
      }
    }
    return slices;
  }

  /** First element of the chunk's part in a dimension, in the chunk. */
  private long from(int d) {
    return Math.max(0, block.startAt(d) - scaled[d] * grid.size(d));
  }

  /** Elements of the chunk's part in a dimension. */
  private long size(int d) {
    long end = block.startAt(d) + block.blockAt(d) - scaled[d] * grid.size(d);
    return Math.min(grid.size(d), end) - from(d);
  }

  private ValueMap map() {
    int rank = grid.rank();
    long[] place = new long[rank];
    long[] size = new long[rank];
    long[] selected = new long[rank];
    for (int d = 0; d < rank; d++) {
      place[d] = Math.max(0, scaled[d] * grid.size(d) - block.startAt(d));
      size[d] = size(d);
      selected[d] = block.blockAt(d);
    }
    return new BoxMap(BoxRuns.of(place, size, selected));
  }

  private RunSet elements() {
    // Where the part spans a dimension, what is under one coordinate goes on under the next.
    int last = grid.rank() - 1;
    long step = 1;
    while (last > 0 && size(last) == grid.size(last)) {
      step *= grid.size(last);
      last--;
    }
    int rows = 1;
    for (int d = 0; d < last; d++) {
      rows = Math.multiplyExact(rows, Math.toIntExact(size(d)));
    }
    long length = size(last) * step;
    long[] starts = new long[rows];
    starts[0] = from(last) * step;
    int filled = 1;
    for (int d = last - 1; d >= 0; d--) {
      step *= grid.size(d + 1);
      long from = from(d) * step;
      int size = (int) size(d);
      // The rows there are, once for each coordinate of this dimension, the first one last.
      for (int i = size - 1; i >= 0; i--) {
        for (int row = 0; row < filled; row++) {
          starts[i * filled + row] = starts[row] + from + i * step;
        }
      }
      filled *= size;
    }
    long[] ends = new long[rows];
    for (int row = 0; row < rows; row++) {
      ends[row] = starts[row] + length;
    }
    return RunSet.ofSorted(starts, ends, rows);
  }
}
