package io.skerry.chunk.dataspace.grid;

import io.skerry.selection.Hyperslab;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a block that is finite, not empty, and so small that it crosses at most one edge of chunks
 * in a dimension, into rows. {@link BlockCut} gives the same as slices, with tables of what rows
 * calculate.
 *
 * <p>A piece is named by its side: a bit for each dimension in which it lies in the second of the
 * two chunks.
 */
final class RowCut {
  /** Chunks that a block may touch: more are no small read. */
  static final int MOST = 8;

  private final ChunkGrid grid;
  private final Hyperslab block;

  /** Place of the first chunk. */
  private final long[] corner;

  /** A bit for each dimension in which the block lies in two chunks. */
  private final int crossed;

  private RowCut(ChunkGrid grid, Hyperslab block, long[] corner, int crossed) {
    this.grid = grid;
    this.block = block;
    this.corner = corner;
    this.crossed = crossed;
  }

  /**
   * The rows of a block, chunk by chunk in row-major order.
   *
   * @return nothing if it touches more than two chunks in a dimension or {@link #MOST} in all, or
   *     has in one of them rows that are not at one distance
   */
  static List<ChunkRows> rows(ChunkGrid grid, Hyperslab block) {
    long[] corner = new long[grid.rank()];
    int crossed = 0;
    long first = 0;
    for (int d = 0; d < corner.length; d++) {
      long size = grid.size(d);
      corner[d] = block.startAt(d) / size;
      long from = block.startAt(d) - corner[d] * size;
      first = first * size + from;
      long room = size - from;
      if (block.blockAt(d) > room) {
        if (block.blockAt(d) - room > size) {
          return List.of();
        }
        crossed |= 1 << d;
      }
    }
    return crossed == 0
        ? inOneChunk(grid, block, corner, first)
        : new RowCut(grid, block, corner, crossed).pieces();
  }

  /**
   * What {@link #piece} does, for the most usual case by itself: in some fifty nanoseconds less.
   */
  private static List<ChunkRows> inOneChunk(
      ChunkGrid grid, Hyperslab block, long[] corner, long first) {
    int d = corner.length - 1;
    long step = 1;
    while (d > 0 && block.blockAt(d) == grid.size(d)) {
      step *= grid.size(d);
      d--;
    }
    long length = block.blockAt(d) * step;
    long placeStep = length;
    do {
      step *= grid.size(d);
      d--;
    } while (d >= 0 && block.blockAt(d) == 1);
    long rows = 1;
    boolean goesOn = true;
    for (; d >= 0; d--) {
      rows *= goesOn || block.blockAt(d) == 1 ? block.blockAt(d) : 0;
      goesOn &= block.blockAt(d) == grid.size(d);
    }
    return regular(new ChunkRows(corner, first, rows, step, length, 0, placeStep));
  }

  private List<ChunkRows> pieces() {
    if (1 << Integer.bitCount(crossed) > MOST) {
      return List.of();
    }
    List<ChunkRows> pieces = new ArrayList<>(MOST);
    // The last dimension changes first, so its bit has to be the lowest one of the count.
    int reversed = Integer.reverse(crossed);
    int side = 0;
    do {
      List<ChunkRows> piece = regular(piece(Integer.reverse(side)));
      if (piece.isEmpty()) {
        return List.of();
      }
      pieces.add(piece.getFirst());
      side = side - reversed & reversed;
    } while (side != 0);
    return pieces;
  }

  private static boolean isSecond(int side, int d) {
    return (side >> d & 1) != 0;
  }

  /** Elements of the block before the edge that it crosses. */
  private long before(int d) {
    return (corner[d] + 1) * grid.size(d) - block.startAt(d);
  }

  /** Elements of a piece in a dimension. */
  private long size(int side, int d) {
    if (!isSecond(crossed, d)) {
      return block.blockAt(d);
    }
    return isSecond(side, d) ? block.blockAt(d) - before(d) : before(d);
  }

  /** Whether what is under one coordinate of a piece goes on under the next. */
  private boolean spans(int d) {
    return !isSecond(crossed, d) && block.blockAt(d) == grid.size(d);
  }

  private static List<ChunkRows> regular(ChunkRows rows) {
    return rows.rows() > 0 ? List.of(rows) : List.of();
  }

  /** The rows of a piece: none if they are at several distances. */
  private ChunkRows piece(int side) {
    long[] scaled = side == 0 ? corner : corner.clone();
    long first = 0;
    long place = 0;
    for (int d = 0; d < scaled.length; d++) {
      long from = block.startAt(d) - corner[d] * grid.size(d);
      long skipped = 0;
      if (isSecond(side, d)) {
        scaled[d]++;
        skipped = grid.size(d) - from;
        from = 0;
      }
      first = first * grid.size(d) + from;
      place = place * block.blockAt(d) + skipped;
    }
    int d = scaled.length - 1;
    long step = 1;
    while (d > 0 && spans(d)) {
      step *= grid.size(d);
      d--;
    }
    long length = size(side, d) * step;
    long placeStep = step;
    do {
      step *= grid.size(d);
      placeStep *= block.blockAt(d);
      d--;
    } while (d >= 0 && size(side, d) == 1);
    long rows = 1;
    boolean goesOn = true;
    for (; d >= 0; d--) {
      long size = size(side, d);
      rows *= goesOn || size == 1 ? size : 0;
      goesOn &= spans(d);
    }
    return new ChunkRows(scaled, first, rows, step, length, place, placeStep);
  }
}
