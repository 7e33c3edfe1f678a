package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.chunk.dataspace.RunSet;
import java.util.Arrays;

/**
 * What one dimension of a pattern takes from a chunk: blocks inside the chunk, at equal distances;
 * the first and the last may be shorter. A value, because most chunks get the same.
 *
 * @param first where the first block starts, relative to the chunk; negative if before it
 * @param stride from block to block
 * @param block elements of a block
 * @param blocks number of blocks that reach into the chunk
 * @param size elements of the chunk
 */
record ClippedDimension(long first, long stride, long block, long blocks, long size) {
  /** In the one form of equal lines: a single block as far as it lies in the chunk. */
  ClippedDimension {
    if (blocks == 1) {
      long from = Math.max(0, first);
      block = Math.min(size, first + Math.min(block, size - first)) - from;
      first = from;
      stride = 1;
    }
  }

  /** The part of finite blocks inside a chunk that has an element of them. */
  static ClippedDimension of(HyperslabDimension blocks, long origin, long size) {
    long first = blocks.firstEndingAfter(origin);
    long last =
        size > Long.MAX_VALUE - origin ? blocks.count() : blocks.startingBefore(origin + size);
    return new ClippedDimension(
        blocks.startOf(first) - origin, blocks.stride(), blocks.block(), last - first, size);
  }

  /** First element of a block, in the chunk. */
  long lo(long i) {
    return Math.max(0, first + i * stride);
  }

  /** One past the last element of a block, in the chunk. */
  long hi(long i) {
    long from = first + i * stride;
    return block >= size - from ? size : from + block;
  }

  /** Number of elements. */
  long elements() {
    long ends = hi(0) - lo(0) + (blocks == 1 ? 0 : hi(blocks - 1) - lo(blocks - 1));
    return ends + Math.max(0, blocks - 2) * block;
  }

  /** Whether it is all of the chunk. */
  boolean isWhole() {
    return elements() == size;
  }

  /** The elements of a chunk that lines of all its dimensions have in common. */
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

  /** Fills in the runs of the product, in order. */
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
     * @param base number of elements of the dimensions up to this one, as if the rest were one
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

    /** Adds a run; the first of a row may go on from the last of the row before. */
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
