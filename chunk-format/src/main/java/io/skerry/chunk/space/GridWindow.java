package io.skerry.chunk.space;

/** The chunks that a box of elements touches, numbered in row-major order. */
final class GridWindow {
  private final long[] first;
  private final long[] count;
  private final long[] step;
  private final long chunks;

  GridWindow(ChunkGrid grid, Box elements) {
    int rank = grid.rank();
    first = new long[rank];
    count = new long[rank];
    step = new long[rank];
    long product = 1;
    for (int d = rank - 1; d >= 0; d--) {
      first[d] = elements.start(d) / grid.size(d);
      count[d] = (elements.end(d) - 1) / grid.size(d) - first[d] + 1;
      step[d] = product;
      product = Math.multiplyExact(product, count[d]);
    }
    chunks = product;
  }

  /** Number of chunks. */
  long chunks() {
    return chunks;
  }

  /** What a chunk coordinate of one dimension adds to the number of a chunk. */
  long key(int dimension, long scaled) {
    return (scaled - first[dimension]) * step[dimension];
  }

  /** Chunk coordinates of a number. */
  long[] scaled(long key) {
    long[] scaled = new long[first.length];
    for (int d = 0; d < scaled.length; d++) {
      scaled[d] = first[d] + key / step[d] % count[d];
    }
    return scaled;
  }
}
