package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a block that touches few chunks into slices. {@link HyperslabCut} returns the same slices,
 * but builds tables that are worthwhile only for many chunks.
 */
final class BlockCut {
  /**
   * Limit on the number of chunks. With more chunks, many have equal sets of elements, which {@link
   * HyperslabCut} creates only once.
   */
  private static final long MOST_CHUNKS = 8;

  private BlockCut() {}

  /**
   * Cuts a block that is finite and not empty.
   *
   * @return the slices; empty if the block touches more than {@link #MOST_CHUNKS} chunks
   */
  static List<ChunkSlice> cut(ChunkGrid grid, Shape extent, Hyperslab block) {
    long[] scaled = new long[grid.rank()];
    long chunks = 1;
    for (int d = 0; d < scaled.length; d++) {
      scaled[d] = block.startAt(d) / grid.size(d);
      long along = along(grid, block, scaled, d);
      chunks = Math.min(chunks, MOST_CHUNKS + 1) * Math.min(along, MOST_CHUNKS + 1);
    }
    if (chunks == 1) {
      RunSet elements = elements(grid, block, scaled);
      return List.of(grid.slice(scaled, extent, elements, new IdentityMap(elements.count())));
    }
    return chunks > MOST_CHUNKS ? List.of() : slices(grid, extent, block, scaled, (int) chunks);
  }

  /**
   * Returns the number of chunks, starting at the given chunk, that the block touches in a
   * dimension.
   */
  private static long along(ChunkGrid grid, Hyperslab block, long[] scaled, int d) {
    long end = block.startAt(d) - scaled[d] * grid.size(d) + block.blockAt(d);
    return end <= grid.size(d) ? 1 : (end - 1) / grid.size(d) + 1;
  }

  private static List<ChunkSlice> slices(
      ChunkGrid grid, Shape extent, Hyperslab block, long[] first, int chunks) {
    List<ChunkSlice> slices = new ArrayList<>(chunks);
    long[] scaled = first.clone();
    while (slices.size() < chunks) {
      RunSet elements = elements(grid, block, scaled);
      slices.add(grid.slice(scaled.clone(), extent, elements, map(grid, block, scaled)));
      int d = scaled.length - 1;
      while (d >= 0 && along(grid, block, scaled, d) == 1) {
        scaled[d] = first[d];
        d--;
      }
      if (d >= 0) {
        scaled[d]++;
      }
    }
    return slices;
  }

  /** Returns the first coordinate, relative to the chunk, of the part of the block in the chunk. */
  private static long from(ChunkGrid grid, Hyperslab block, long[] scaled, int d) {
    return Math.max(0, block.startAt(d) - scaled[d] * grid.size(d));
  }

  /** Returns the size, in one dimension, of the part of the block in a chunk. */
  private static long size(ChunkGrid grid, Hyperslab block, long[] scaled, int d) {
    long end = block.startAt(d) + block.blockAt(d) - scaled[d] * grid.size(d);
    return Math.min(grid.size(d), end) - from(grid, block, scaled, d);
  }

  private static ValueMap map(ChunkGrid grid, Hyperslab block, long[] scaled) {
    int rank = grid.rank();
    long[] place = new long[rank];
    long[] size = new long[rank];
    long[] selected = new long[rank];
    for (int d = 0; d < rank; d++) {
      place[d] = Math.max(0, scaled[d] * grid.size(d) - block.startAt(d));
      size[d] = size(grid, block, scaled, d);
      selected[d] = block.blockAt(d);
    }
    return new BoxMap(BoxRuns.of(place, size, selected));
  }

  private static RunSet elements(ChunkGrid grid, Hyperslab block, long[] scaled) {
    // If the part spans the chunk in a dimension, the elements of adjacent coordinates of
    // the next outer dimension are contiguous.
    int last = grid.rank() - 1;
    long step = 1;
    while (last > 0 && size(grid, block, scaled, last) == grid.size(last)) {
      step *= grid.size(last);
      last--;
    }
    int rows = 1;
    for (int d = 0; d < last; d++) {
      rows = Math.multiplyExact(rows, Math.toIntExact(size(grid, block, scaled, d)));
    }
    long length = size(grid, block, scaled, last) * step;
    long[] starts = new long[rows];
    starts[0] = from(grid, block, scaled, last) * step;
    int filled = 1;
    for (int d = last - 1; d >= 0; d--) {
      step *= grid.size(d + 1);
      long from = from(grid, block, scaled, d) * step;
      int size = (int) size(grid, block, scaled, d);
      // Copy the existing rows for each coordinate of this dimension. The first coordinate is
      // processed last, because it overwrites the rows that are copied.
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
