package io.skerry.iod.connector.tile;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.iod.connector.store.Step;
import io.skerry.iod.object.model.CellContents;
import io.skerry.iod.object.model.MetadataWriter;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * Changes the extent of a dataset within a step. Tiles outside the new extent are removed, and
 * those that are partly outside lose the elements outside. Each of several ranks changes the tiles
 * that it owns, and rank 0 stores the extent. Methods are local and throw the exceptions of {@link
 * Tiles}.
 *
 * @param tiles the tiles, with the changes of the step
 * @param step the step
 */
public record TileResize(Tiles tiles, Step step) {
  private TileLayout layout() {
    return tiles.layout();
  }

  /**
   * Stores a new extent.
   *
   * @param dataset the dataset
   * @param before the current extent
   * @param after the new extent
   * @throws IllegalArgumentException if the last tile would end after 2^63-1 elements
   */
  public void resize(StoredObject dataset, Shape before, Shape after) {
    layout().grid().requireWholeChunks(after);
    boolean shrinks = false;
    for (int d = 0; d < after.rank(); d++) {
      shrinks |= after.extent(d) < before.extent(d);
    }
    boolean hasOtherEdges = layout().metadata().spec().edges() == DatasetSpec.Edges.UNFILTERED;
    if (shrinks || hasOtherEdges) {
      tiles.forEach((scaled, _) -> resize(scaled, before, after));
    }
    if (step.ranks().isFirst()) {
      MetadataWriter metadata =
          new MetadataWriter(dataset.pad().requireMetadata(), step.changes(), step.ids());
      metadata.extent(Optional.of(after));
    }
  }

  private void resize(long[] scaled, Shape before, Shape after) {
    if (!step.owns(tiles.place(scaled))) {
      return;
    }
    ChunkGrid grid = layout().grid();
    long[] was = grid.valid(scaled, before);
    long[] valid = grid.valid(scaled, after);
    boolean isGone = Arrays.stream(valid).anyMatch(size -> size == 0);
    boolean isCut = false;
    for (int d = 0; d < valid.length; d++) {
      isCut |= valid[d] < was[d];
    }
    boolean isOther = layout().filtering(scaled, before) != layout().filtering(scaled, after);
    if (isGone) {
      if (!layout().cells().isEmpty()) {
        release(tiles.chunk(scaled), grid.inside(scaled, before));
      }
      tiles.put(step.changes(), scaled, after, Optional.empty());
    } else if (isCut || isOther) {
      MemoryChunk chunk = tiles.chunk(scaled);
      if (!layout().cells().isEmpty()) {
        release(chunk, grid.inside(scaled, before).subtract(grid.inside(scaled, after)));
      }
      MemoryChunk changed = layout().format().clip(chunk, valid);
      tiles.put(
          step.changes(),
          scaled,
          after,
          layout().format(layout().filtering(scaled, after)).encode(changed));
    }
  }

  /** Removes the BLOBs of elements of a tile. */
  private void release(MemoryChunk chunk, RunSet elements) {
    MemorySegment packed = HeapBytes.allocate(elements.count() * layout().datatype().size());
    layout().format().read(chunk, elements, packed);
    CellContents.forEach(
        layout().datatype(), packed, cell -> CellContents.delete(step.changes(), cell));
  }
}
