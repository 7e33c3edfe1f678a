package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.selection.Shape;
import java.util.Arrays;

/**
 * The position of a chunk in the grid: element coordinates divided by the chunk sizes. Immutable
 * and independent of the chunk index. The position does not change when the dataset grows.
 * Positions are compared in row-major order, with the first dimension most significant.
 */
public final class ChunkCoordinates implements Comparable<ChunkCoordinates> {
  private final long[] scaled;

  private ChunkCoordinates(long[] scaled) {
    this.scaled = scaled;
  }

  /** Returns the position with the given grid coordinates. */
  public static ChunkCoordinates of(long... scaled) {
    return new ChunkCoordinates(scaled.clone());
  }

  /** Returns the number of dimensions. */
  public int rank() {
    return scaled.length;
  }

  /** Returns the coordinate in a dimension. */
  public long at(int dimension) {
    return scaled[dimension];
  }

  /** Returns a copy of all coordinates. */
  public long[] scaled() {
    return scaled.clone();
  }

  /** Appends the coordinates in the form {@code rank u8 | rank × coordinate u64}. */
  public void encode(ByteWriter out) {
    out.u8(scaled.length);
    for (long coordinate : scaled) {
      out.u64(coordinate);
    }
  }

  /**
   * Reads coordinates that {@link #encode} wrote.
   *
   * @throws FormatException if bytes are missing, there are more dimensions than a dataset may
   *     have, or a coordinate exceeds 2^63-1
   */
  public static ChunkCoordinates decode(ByteReader in) {
    int rank = in.u8();
    if (rank > Shape.MAX_RANK) {
      throw in.fault("dimensions of a chunk", "at most " + Shape.MAX_RANK, rank);
    }
    long[] scaled = new long[rank];
    for (int i = 0; i < rank; i++) {
      scaled[i] = in.u63("chunk coordinate");
    }
    return new ChunkCoordinates(scaled);
  }

  @Override
  public int compareTo(ChunkCoordinates other) {
    return Arrays.compare(scaled, other.scaled);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChunkCoordinates that && Arrays.equals(scaled, that.scaled);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(scaled);
  }

  @Override
  public String toString() {
    return Arrays.toString(scaled);
  }
}
