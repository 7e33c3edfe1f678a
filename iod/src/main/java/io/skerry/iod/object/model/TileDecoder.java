package io.skerry.iod.object.model;

import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;

/** Decodes the tiles of datasets with cells of variable length. */
@FunctionalInterface
public interface TileDecoder {
  /** A decoder of tiles without filters. */
  TileDecoder PLAIN =
      (dataset, tile) -> {
        if (dataset.spec().filters().isFiltered()) {
          throw new UnsupportedFeatureException("filters", "cells of a tile");
        }
        return tile;
      };

  /**
   * Returns the cells of a tile.
   *
   * @param dataset the dataset, which has neither sparse nor structured chunks
   * @param tile the stored bytes of the tile
   * @throws io.skerry.exception.FormatException if the bytes are not those of a tile
   * @throws UnsupportedFeatureException if this decoder cannot decode them
   */
  MemorySegment cells(DatasetMetadata dataset, MemorySegment tile);

  /**
   * Checks that a tile is within the extent of a dataset. The default implementation does nothing.
   *
   * @param dataset the dataset
   * @param number the number of the tile
   * @throws io.skerry.exception.FormatException if the tile is outside the extent
   */
  default void requireTile(DatasetMetadata dataset, long number) {}
}
