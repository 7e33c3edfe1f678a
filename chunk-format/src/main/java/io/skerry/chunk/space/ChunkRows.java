package io.skerry.chunk.space;

import java.util.Optional;

/**
 * A block of elements inside one chunk, as rows of one length at one distance: what most small
 * reads ask for. It says what the {@link ChunkSlice} of the block says, with no table of rows: a
 * read of a few elements would spend most of its time on that. Immutable.
 */
public final class ChunkRows {
  private final long[] scaled;
  private final long first;
  private final long rows;
  private final long pitch;
  private final long length;

  private ChunkRows(long[] scaled, long first, long rows, long pitch, long length) {
    this.scaled = scaled;
    this.first = first;
    this.rows = rows;
    this.pitch = pitch;
    this.length = length;
  }

  /**
   * The rows of a block that is finite and not empty.
   *
   * @return nothing if it lies in more than one chunk, or its rows at more than one distance
   */
  static Optional<ChunkRows> of(ChunkGrid grid, Hyperslab block) {
    long[] scaled = new long[grid.rank()];
    long first = 0;
    for (int d = 0; d < scaled.length; d++) {
      long chunk = grid.size(d);
      scaled[d] = block.startAt(d) / chunk;
      long from = block.startAt(d) - scaled[d] * chunk;
      if (block.blockAt(d) > chunk - from) {
        return Optional.empty();
      }
      first = first * chunk + from;
    }
    int d = scaled.length - 1;
    long step = 1;
    // Where the block spans a dimension, what is under one coordinate goes on under the next.
    while (d > 0 && block.blockAt(d) == grid.size(d)) {
      step *= grid.size(d);
      d--;
    }
    long length = block.blockAt(d) * step;
    do {
      step *= grid.size(d);
      d--;
    } while (d >= 0 && block.blockAt(d) == 1);
    long rows = 1;
    boolean spans = true;
    for (; d >= 0; d--) {
      if (!spans && block.blockAt(d) > 1) {
        return Optional.empty();
      }
      rows *= block.blockAt(d);
      spans &= block.blockAt(d) == grid.size(d);
    }
    return Optional.of(new ChunkRows(scaled, first, rows, step, length));
  }

  /** Number of dimensions. */
  public int rank() {
    return scaled.length;
  }

  /** Which chunk: its first element divided by the chunk size, in a dimension. */
  public long scaledAt(int dimension) {
    return scaled[dimension];
  }

  /** Which chunk, in all dimensions; a copy. */
  public long[] scaled() {
    return scaled.clone();
  }

  /** Number of rows. */
  public long rows() {
    return rows;
  }

  /** Elements from the first one of a row to that of the next. */
  public long pitch() {
    return pitch;
  }

  /** Elements of a row. */
  public long length() {
    return length;
  }

  /** First element of a row, by row-major index in the full chunk shape. */
  public long start(long row) {
    return first + row * pitch;
  }

  /** Number of elements. */
  public long count() {
    return rows * length;
  }

  /** One past the greatest element. */
  public long bound() {
    return start(rows - 1) + length;
  }

  /** The elements as a set. */
  public RunSet elements() {
    RunSet.Builder elements = new RunSet.Builder(Math.toIntExact(rows));
    for (long row = 0; row < rows; row++) {
      elements.add(start(row), start(row) + length);
    }
    return elements.build();
  }

  @Override
  public String toString() {
    return "rows=" + rows + " length=" + length + " first=" + first + " distance=" + pitch;
  }
}
