package io.skerry.cache.api;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.exception.FormatException;

/**
 * Identifies a chunk of a dataset in an open file.
 *
 * @param dataset address of the object header of the dataset
 * @param chunk coordinates of the chunk in the grid, which do not change when the dataset grows
 */
public record ChunkKey(long dataset, ChunkCoordinates chunk) implements Comparable<ChunkKey> {
  /** Returns the key of the chunk with the given grid coordinates in the given dataset. */
  public static ChunkKey of(long dataset, long... scaled) {
    return new ChunkKey(dataset, ChunkCoordinates.of(scaled));
  }

  /**
   * Appends {@code dataset u64 | chunk}, where {@code chunk} is encoded by {@link
   * ChunkCoordinates#encode}.
   */
  public void encode(ByteWriter out) {
    out.u64(dataset);
    chunk.encode(out);
  }

  /**
   * Reads a key that {@link #encode} wrote.
   *
   * @throws FormatException if the bytes are not a key
   */
  public static ChunkKey decode(ByteReader in) {
    return new ChunkKey(in.i64(), ChunkCoordinates.decode(in));
  }

  @Override
  public int compareTo(ChunkKey other) {
    int byDataset = Long.compareUnsigned(dataset, other.dataset);
    return byDataset != 0 ? byDataset : chunk.compareTo(other.chunk);
  }
}
