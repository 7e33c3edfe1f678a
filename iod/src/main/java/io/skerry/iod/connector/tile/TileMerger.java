package io.skerry.iod.connector.tile;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.datatype.conversion.ElementParts;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.iod.connector.store.Step;
import io.skerry.iod.connector.value.EncodedCells;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Merges pieces into stored tiles within a step. Methods are local and throw the exceptions of
 * {@link Tiles}.
 *
 * @param tiles the tiles, with the changes of the step
 * @param extent the extent of the dataset, of at least one dimension
 * @param step the step
 */
record TileMerger(Tiles tiles, Shape extent, Step step) {
  private TileLayout layout() {
    return tiles.layout();
  }

  private ChunkFormat format(long[] scaled) {
    return layout().format(layout().filtering(scaled, extent));
  }

  /**
   * Stores the pieces of one tile, in their order.
   *
   * @param pieces at least one piece
   */
  void merge(List<TilePiece> pieces) {
    TilePiece first = pieces.getFirst();
    long[] scaled = first.scaled();
    if (pieces.size() == 1
        && first.content() instanceof TilePiece.Content.Whole(MemorySegment values)
        && covers(first)) {
      put(scaled, format(scaled).encodeWritten(first.elements(), values));
      return;
    }
    Optional<MemoryChunk> old = tiles.decoded(scaled, ChunkFormat::decode);
    boolean defines =
        pieces.stream().anyMatch(piece -> !(piece.content() instanceof TilePiece.Content.Erasure));
    if (old.isPresent() || defines) {
      MemoryChunk chunk = old.orElseGet(layout().format()::newChunk);
      for (TilePiece piece : pieces) {
        chunk = applied(chunk, piece);
      }
      put(scaled, format(scaled).encode(chunk));
    }
  }

  private boolean covers(TilePiece piece) {
    return piece.elements().count() == layout().grid().inside(piece.scaled(), extent).count();
  }

  private MemoryChunk applied(MemoryChunk chunk, TilePiece piece) {
    ChunkFormat format = layout().format();
    return switch (piece.content()) {
      case TilePiece.Content.Whole(MemorySegment values) ->
          format.write(chunk, piece.elements(), values);
      case TilePiece.Content.Parts(ElementParts parts, MemorySegment values) -> {
        MemorySegment packed = before(chunk, piece);
        parts.copy(values, packed, piece.elements().count());
        yield format.write(chunk, piece.elements(), packed);
      }
      case TilePiece.Content.Cells(EncodedCells cells) -> {
        MemorySegment packed = HeapBytes.copyOf(cells.elements());
        cells.store(step.changes(), step.ids(), packed, before(chunk, piece));
        yield format.write(chunk, piece.elements(), packed);
      }
      case TilePiece.Content.Erasure _ -> format.erase(chunk, piece.elements());
    };
  }

  private MemorySegment before(MemoryChunk chunk, TilePiece piece) {
    MemorySegment packed =
        HeapBytes.allocate(piece.elements().count() * layout().datatype().size());
    layout().format().read(chunk, piece.elements(), packed);
    return packed;
  }

  private void put(long[] scaled, Optional<ChunkImage> image) {
    // A tile and the BLOBs of its cells are undone together. Without cells, a failure of the
    // storage ends the transaction anyway.
    boolean isUndone = !layout().cells().isEmpty();
    tiles.put(isUndone ? step.changes() : step.transaction(), scaled, extent, image);
  }
}
