package io.skerry.collective.owner;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import java.util.Arrays;
import java.util.Optional;

/**
 * A block of the chunk grid of a dataset. A rank sends it to the index owners to ask for all
 * existing chunks in the block, instead of listing every possible chunk.
 *
 * @param dataset the address of the object header of the dataset
 * @param first the lowest chunk coordinates
 * @param last the highest chunk coordinates, inclusive
 */
public record GridArea(long dataset, ChunkCoordinates first, ChunkCoordinates last) {
  /** Returns the smallest area that contains a selection; empty if nothing is selected. */
  public static Optional<GridArea> around(ChunkedDataset dataset, Selection selection) {
    return selection
        .boundingBox(dataset.shape())
        .map(box -> around(dataset.id(), dataset.grid(), box));
  }

  private static GridArea around(long id, ChunkGrid grid, Box box) {
    long[] first = new long[box.rank()];
    long[] last = new long[box.rank()];
    Arrays.setAll(first, d -> box.start(d) / grid.size(d));
    Arrays.setAll(last, d -> (box.end(d) - 1) / grid.size(d));
    return new GridArea(id, ChunkCoordinates.of(first), ChunkCoordinates.of(last));
  }

  /** Returns whether the area contains the given chunk. */
  public boolean contains(ChunkCoordinates chunk) {
    boolean inside = chunk.rank() == first.rank();
    for (int d = 0; inside && d < chunk.rank(); d++) {
      inside = chunk.at(d) >= first.at(d) && chunk.at(d) <= last.at(d);
    }
    return inside;
  }

  /**
   * Appends {@code dataset u64 | first | last}, with coordinates as encoded by {@link
   * ChunkCoordinates#encode}.
   */
  public void encode(ByteWriter out) {
    out.u64(dataset);
    first.encode(out);
    last.encode(out);
  }

  /** Decodes an area that {@link #encode} has written. */
  public static GridArea decode(ByteReader in) {
    return new GridArea(in.i64(), ChunkCoordinates.decode(in), ChunkCoordinates.decode(in));
  }
}
