package io.skerry.collective.read;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.core.ChunkLocator;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.PresentChunks;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.GridArea;
import io.skerry.collective.step.LocalStatus;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The chunks that one rank needs for a collective read. */
sealed interface WantedChunks {
  /** No chunks; used by a rank that has failed, and for a result that requires no chunks. */
  WantedChunks NONE = new Touched(Map.of());

  /** Returns all chunks that a selection touches. Local. */
  static WantedChunks touched(ChunkedDataset dataset, Selection selection) {
    return new Touched(slices(dataset, selection, dataset.shape()));
  }

  /**
   * Returns the chunks that a selection touches and that may have defined elements. If the
   * selection may touch too many chunks of the grid to list, the existing chunks are not determined
   * until {@link #locate} is called. Local.
   */
  static WantedChunks defined(ChunkedDataset dataset, Selection selection) {
    return PresentChunks.isWide(dataset, selection, dataset.shape())
        ? new Existing(dataset, selection, GridArea.around(dataset, selection).stream().toList())
        : touched(dataset, selection);
  }

  /**
   * Finds the chunks in memory and in the file. Collective; the ranks may call it on different
   * implementations.
   */
  LocatedChunks locate(FileContext context, LocalStatus status);

  private static Map<ChunkKey, ChunkSlice> slices(
      ChunkedDataset dataset, Selection selection, Shape shape) {
    Map<ChunkKey, ChunkSlice> slices = new LinkedHashMap<>();
    for (ChunkSlice slice : dataset.grid().cut(selection, shape)) {
      slices.put(ChunkKey.of(dataset.id(), slice.scaled()), slice);
    }
    return slices;
  }

  /** All chunks that a selection touches, with the slice to read from each. */
  record Touched(Map<ChunkKey, ChunkSlice> slices) implements WantedChunks {
    @Override
    public LocatedChunks locate(FileContext context, LocalStatus status) {
      return new LocatedChunks(slices, new ChunkLocator(context).locate(slices.keySet(), status));
    }
  }

  /**
   * The existing chunks that a selection touches, if the selection may touch too many chunks of the
   * grid to list.
   */
  record Existing(ChunkedDataset dataset, Selection selection, List<GridArea> areas)
      implements WantedChunks {
    @Override
    public LocatedChunks locate(FileContext context, LocalStatus status) {
      ChunkLocator.Located located = new ChunkLocator(context).locateAll(areas, status);
      return new LocatedChunks(status.attempt(() -> slices(located), Map.of()), located);
    }

    private Map<ChunkKey, ChunkSlice> slices(ChunkLocator.Located located) {
      Shape shape = dataset.shape();
      Selection part = dataset.grid().within(selection, located.chunks(dataset.id()), shape);
      return WantedChunks.slices(dataset, part, shape);
    }
  }
}
