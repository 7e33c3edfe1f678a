package io.skerry.iod.connector.tile;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.iod.object.model.DatasetMetadata;
import io.skerry.iod.object.model.TileDecoder;
import java.lang.foreign.MemorySegment;

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
}
