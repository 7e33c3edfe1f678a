package io.skerry.cache.api;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.exception.FormatException;

/**
 * Names one chunk of one dataset of an open file.
 *
 * @param dataset address of the dataset's object header
 * @param chunk the chunk's place in the grid; does not change when the dataset grows
 */
public record ChunkKey(long dataset, ChunkCoordinates chunk) implements Comparable<ChunkKey> {
  /** The chunk with these grid coordinates. */
  public static ChunkKey of(long dataset, long... scaled) {
    return new ChunkKey(dataset, ChunkCoordinates.of(scaled));
  }

  /** Appends {@code dataset u64 | chunk}, as {@link ChunkCoordinates#encode} writes it. */
  public void encode(ByteWriter out) {
    out.u64(dataset);
    chunk.encode(out);
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws FormatException if it is something else
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
