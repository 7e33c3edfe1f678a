package io.skerry.iod.connector.tile;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.exception.FormatException;
import io.skerry.iod.object.model.DatasetMetadata;
import io.skerry.iod.object.model.TileDecoder;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Decodes the tiles that {@link TileWriter} stores, with their filters. Local, thread-safe. */
public final class CellTiles implements TileDecoder {
  /** Creates a decoder. */
  public CellTiles() {}

  @Override
  public MemorySegment cells(DatasetMetadata dataset, MemorySegment tile) {
    TileLayout layout = TileLayout.stored(dataset);
    TileImages.Decoded decoded = layout.images().decode(tile);
    RunSet all = RunSet.range(0, layout.format().elements());
    return layout
        .format(decoded.filtering())
        .readStored(decoded.image(), all, (bytes, _) -> HeapBytes.allocate(bytes));
  }

  @Override
  public void requireTile(DatasetMetadata dataset, long number) {
    Shape extent = TileLayout.flat(dataset.spec().shape());
    long[] tile = TileLayout.shape(dataset);
    long[] scaled = TileNumbers.of(extent, tile).scaled(number);
    for (int d = 0; d < scaled.length; d++) {
      if (scaled[d] * tile[d] >= extent.extent(d)) {
        throw new FormatException(
            "tile", "within the extent " + extent, number + " at " + Arrays.toString(scaled));
      }
    }
  }
}
