package io.skerry.chunk.space;

/**
 * Cuts a block that lies in one chunk. {@link PatternCut} gives the same, but makes tables for many
 * chunks, which a small read of a chunk in memory would spend most of its time on.
 */
final class BlockCut {
  private BlockCut() {}

  /** The only slice. */
  static ChunkSlice cut(ChunkGrid grid, Shape extent, Hyperslab block) {
    int rank = grid.rank();
    long[] scaled = new long[rank];
    for (int d = 0; d < rank; d++) {
      scaled[d] = block.startAt(d) / grid.size(d);
    }
    RunSet elements = elements(grid, scaled, block);
    return grid.slice(scaled, extent, elements, new WholeMap(elements.count()));
  }

  private static RunSet elements(ChunkGrid grid, long[] scaled, Hyperslab block) {
    // Where the block spans a dimension, what is under one coordinate goes on under the next.
    int last = grid.rank() - 1;
    long step = 1;
    while (last > 0 && block.blockAt(last) == grid.size(last)) {
      step *= grid.size(last);
      last--;
    }
    int rows = 1;
    for (int d = 0; d < last; d++) {
      rows = Math.multiplyExact(rows, Math.toIntExact(block.blockAt(d)));
    }
    long length = block.blockAt(last) * step;
    long[] starts = new long[rows];
    starts[0] = (block.startAt(last) - scaled[last] * grid.size(last)) * step;
    int filled = 1;
    for (int d = last - 1; d >= 0; d--) {
      step *= grid.size(d + 1);
      long from = (block.startAt(d) - scaled[d] * grid.size(d)) * step;
      // The rows there are, once for each coordinate of this dimension, the first one last.
      for (int i = (int) block.blockAt(d) - 1; i >= 0; i--) {
        for (int row = 0; row < filled; row++) {
          starts[i * filled + row] = starts[row] + from + i * step;
        }
      }
      filled *= (int) block.blockAt(d);
    }
    long[] ends = new long[rows];
    for (int row = 0; row < rows; row++) {
      ends[row] = starts[row] + length;
    }
    return RunSet.ofSorted(starts, ends, rows);
  }
}
