package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.RunSet;

/**
 * The part of a block of elements within one chunk, as rows of equal length at equal distances,
 * both in the chunk and in the block. Describes the same elements and positions as the {@link
 * ChunkSlice} of the block, but without a table of rows. Immutable.
 */
public final class ChunkRows {
  private final long[] scaled;
  private final long first;
  private final long rows;
  private final long pitch;
  private final long length;
  private final long place;
  private final long placePitch;

  /** Creates rows; the accessors describe the components. Takes ownership of {@code scaled}. */
  ChunkRows(
      long[] scaled, long first, long rows, long pitch, long length, long place, long placePitch) {
    this.scaled = scaled;
    this.first = first;
    this.rows = rows;
    this.pitch = pitch;
    this.length = length;
    this.place = place;
    this.placePitch = placePitch;
  }

  /** Returns the number of dimensions. */
  public int rank() {
    return scaled.length;
  }

  /** Returns the grid coordinate of the chunk in a dimension. */
  public long scaledAt(int dimension) {
    return scaled[dimension];
  }

  /** Returns a copy of the coordinates of the chunk in the grid. */
  public long[] scaled() {
    return scaled.clone();
  }

  /** Returns the number of rows. */
  public long rows() {
    return rows;
  }

  /** Returns the distance between the starts of successive rows in the chunk, in elements. */
  public long pitch() {
    return pitch;
  }

  /** Returns the number of elements in a row. */
  public long length() {
    return length;
  }

  /** Returns the first element of a row, by row-major index in the full chunk shape. */
  public long start(long row) {
    return first + row * pitch;
  }

  /** Returns the first element of a row, by row-major index in the block. */
  public long place(long row) {
    return place + row * placePitch;
  }

  /** Returns the distance between the starts of successive rows in the block, in elements. */
  public long placePitch() {
    return placePitch;
  }

  /** Returns whether the rows are contiguous in the block. */
  public boolean isContiguousInBlock() {
    return rows == 1 || placePitch == length;
  }

  /** Returns the number of elements. */
  public long count() {
    return rows * length;
  }

  /** Returns one past the greatest element index in the chunk. */
  public long bound() {
    return start(rows - 1) + length;
  }

  /** Returns one past the greatest element index in the block. */
  public long placeBound() {
    return place(rows - 1) + length;
  }

  /** Returns the elements as a set. */
  public RunSet elements() {
    RunSet.Builder elements = new RunSet.Builder(Math.toIntExact(rows));
    for (long row = 0; row < rows; row++) {
      elements.add(start(row), start(row) + length);
    }
    return elements.build();
  }

  @Override
  public String toString() {
    return "rows="
        + rows
        + " length="
        + length
        + " first="
        + first
        + " distance="
        + pitch
        + " place="
        + place
        + " distance of places="
        + placePitch;
  }
}
