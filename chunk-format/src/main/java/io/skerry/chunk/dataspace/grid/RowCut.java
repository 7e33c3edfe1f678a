package io.skerry.chunk.dataspace.grid;

import io.skerry.selection.Hyperslab;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a finite, non-empty block into rows if it crosses at most one chunk border in each
 * dimension. {@link BlockCut} returns the same parts as slices, with tables in place of computed
 * rows.
 *
 * <p>A piece is the part of the block in one chunk. It is identified by its side, a mask with a bit
 * set for each dimension in which the piece is in the second of the two chunks.
 */
final class RowCut {
  /** Maximum number of chunks that a block may touch to be cut into rows. */
  static final int MOST = 8;

  private static final int MOST_CROSSED = Integer.numberOfTrailingZeros(MOST);

  private final ChunkGrid grid;
  private final Hyperslab block;

  /** Grid coordinates of the first chunk. */
  private final long[] corner;

  /** A bit for each dimension in which the block touches two chunks. */
  private final int crossed;

  private RowCut(ChunkGrid grid, Hyperslab block, long[] corner, int crossed) {
    this.grid = grid;
    this.block = block;
    this.corner = corner;
    this.crossed = crossed;
  }

  /**
   * Returns the rows of a block, in row-major order of the chunks.
   *
   * @return the rows; empty if the block touches more than two chunks in a dimension or more than
   *     {@link #MOST} in all, or if its rows in a chunk are at varying distances
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
   * Returns the rows of a block in a single chunk; a faster form of {@link #piece} for this case.
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
    if (Integer.bitCount(crossed) > MOST_CROSSED) {
      return List.of();
    }
    List<ChunkRows> pieces = new ArrayList<>(MOST);
    // The last dimension changes fastest, so its bit must be the lowest bit of the counter.
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

  /**
   * Returns the number of elements of the block, in a dimension, before the chunk border that the
   * block crosses.
   */
  private long before(int d) {
    return (corner[d] + 1) * grid.size(d) - block.startAt(d);
  }

  /** Returns the number of elements of a piece in a dimension. */
  private long size(int side, int d) {
    if (!isSecond(crossed, d)) {
      return block.blockAt(d);
    }
    return isSecond(side, d) ? block.blockAt(d) - before(d) : before(d);
  }

  /**
   * Returns whether the block spans the chunk in dimension {@code d}, so that the elements of
   * adjacent coordinates of the next outer dimension are contiguous.
   */
  private boolean spans(int d) {
    return !isSecond(crossed, d) && block.blockAt(d) == grid.size(d);
  }

  private static List<ChunkRows> regular(ChunkRows rows) {
    return rows.rows() > 0 ? List.of(rows) : List.of();
  }

  /** Returns the rows of a piece; zero rows if they are at varying distances. */
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
