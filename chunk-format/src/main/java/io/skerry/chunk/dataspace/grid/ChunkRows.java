package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.RunSet;

/**
 * What a chunk has of a block of elements, as rows of one length, at one distance in the chunk and
 * at one in the block: what most small reads ask for. It says what the {@link ChunkSlice} of the
 * block says, with no table of rows: a read of a few elements would spend most of its time on that.
 * Immutable.
 */
public final class ChunkRows {
  private final long[] scaled;
  private final long first;
  private final long rows;
  private final long pitch;
  private final long length;
  private final long place;
  private final long placePitch;

  /** Takes ownership of the array. */
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

  /** Elements from the first one of a row to that of the next, in the chunk. */
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

  /** The same, by row-major index in the block. */
  public long place(long row) {
    return place + row * placePitch;
  }

  /** Elements from the first one of a row to that of the next, in the block. */
  public long placePitch() {
    return placePitch;
  }

  /** Whether the rows follow one another in the block, with nothing between them. */
  public boolean isContiguousInBlock() {
    return rows == 1 || placePitch == length;
  }

  /** Number of elements. */
  public long count() {
    return rows * length;
  }

  /** One past the greatest element. */
  public long bound() {
    return start(rows - 1) + length;
  }

  /** One past the greatest place in the block. */
  public long placeBound() {
    return place(rows - 1) + length;
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
