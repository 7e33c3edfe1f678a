package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.chunk.dataspace.RunSet;
import java.util.Arrays;

/**
 * The part of a pattern within a chunk, in one dimension: blocks at equal distances, the first and
 * last of which may be truncated. Compared by value, because most chunks have equal parts.
 *
 * @param first start of the first block relative to the chunk; negative if the block starts before
 *     the chunk
 * @param stride distance between block starts
 * @param block number of elements in a block
 * @param blocks number of blocks that intersect the chunk
 * @param size number of elements of the chunk
 */
record ClippedDimension(long first, long stride, long block, long blocks, long size) {
  /**
   * Normalizes the part, so that equal parts of one pattern have equal components: a single block
   * is reduced to its portion within the chunk.
   */
  ClippedDimension {
    if (blocks == 1) {
      long from = Math.max(0, first);
      block = Math.min(size, first + Math.min(block, size - first)) - from;
      first = from;
      stride = 1;
    }
  }

  /**
   * Returns the part of a finite pattern within a chunk. The chunk must contain at least one
   * element of the pattern.
   */
  static ClippedDimension of(HyperslabDimension blocks, long origin, long size) {
    long first = blocks.firstEndingAfter(origin);
    long last =
        size > Long.MAX_VALUE - origin ? blocks.count() : blocks.startingBefore(origin + size);
    return new ClippedDimension(
        blocks.startOf(first) - origin, blocks.stride(), blocks.block(), last - first, size);
  }

  /** Returns the first coordinate of block {@code i} in the chunk. */
  long lo(long i) {
    return Math.max(0, first + i * stride);
  }

  /** Returns one past the last coordinate of block {@code i} in the chunk. */
  long hi(long i) {
    long from = first + i * stride;
    return block >= size - from ? size : from + block;
  }

  /** Returns the number of elements. */
  long elements() {
    long ends = hi(0) - lo(0) + (blocks == 1 ? 0 : hi(blocks - 1) - lo(blocks - 1));
    return ends + Math.max(0, blocks - 2) * block;
  }

  /** Returns whether the part covers the entire chunk in this dimension. */
  boolean isWhole() {
    return elements() == size;
  }

  /** Returns the elements of a chunk that are the product of the parts of all dimensions. */
  static RunSet product(ClippedDimension[] lines) {
    int last = lines.length - 1;
    long under = 1;
    while (last > 0 && lines[last].isWhole()) {
      under *= lines[last].size;
      last--;
    }
    long rows = 1;
    for (int d = 0; d < last; d++) {
      rows = Math.multiplyExact(rows, lines[d].elements());
    }
    int runs = Math.toIntExact(Math.multiplyExact(rows, lines[last].blocks));
    RowMajor out = new RowMajor(Arrays.copyOf(lines, last + 1), under, runs);
    out.fill(0, 0);
    return RunSet.ofSorted(out.starts, out.ends, out.runs);
  }

  /** Builds the runs of the product, in ascending order of their elements. */
  private static final class RowMajor {
    private final ClippedDimension[] lines;
    private final long under;
    private final long[] starts;
    private final long[] ends;
    private int runs;

    RowMajor(ClippedDimension[] lines, long under, int capacity) {
      this.lines = lines;
      this.under = under;
      this.starts = new long[capacity];
      this.ends = new long[capacity];
    }

    /**
     * Adds the runs of one dimension and all later ones.
     *
     * @param base row-major index of the coordinates in the dimensions before {@code d}
     */
    void fill(int d, long base) {
      ClippedDimension line = lines[d];
      long row = base * line.size;
      for (long i = 0; i < line.blocks; i++) {
        if (d == lines.length - 1) {
          add((row + line.lo(i)) * under, (row + line.hi(i)) * under);
          continue;
        }
        for (long at = line.lo(i); at < line.hi(i); at++) {
          fill(d + 1, row + at);
        }
      }
    }

    /** Adds a run. The first run of a row may continue the last one of the previous row. */
    private void add(long start, long end) {
      if (runs > 0 && ends[runs - 1] == start) {
        ends[runs - 1] = end;
        return;
      }
      starts[runs] = start;
      ends[runs++] = end;
    }
  }
}
