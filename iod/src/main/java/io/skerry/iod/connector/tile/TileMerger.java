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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Merges pieces into tiles within a step. A tile without cells is kept in memory until it is stored
 * with {@link #store} or {@link #storeIfMany}, so that a damaged tile is found before any tile has
 * changed. Methods are local and throw the exceptions of {@link Tiles}. Not thread-safe.
 */
final class TileMerger {
  /** The number of bytes of tiles that are kept before some of them are stored. */
  static final long LIMIT = 32 << 20;

  private final Tiles tiles;
  private final Shape extent;
  private final Step step;
  private final List<Merged> merged = new ArrayList<>();
  private long bytes;

  /** A tile that is to be stored, or removed if there is no image. */
  private record Merged(long[] scaled, Optional<ChunkImage> image) {}

  /**
   * Creates a merger that has not merged any tile yet.
   *
   * @param tiles the tiles, with the changes of the step
   * @param extent the extent of the dataset, of at least one dimension
   * @param step the step
   */
  TileMerger(Tiles tiles, Shape extent, Step step) {
    this.tiles = tiles;
    this.extent = extent;
    this.step = step;
  }

  private TileLayout layout() {
    return tiles.layout();
  }

  private ChunkFormat format(long[] scaled) {
    return layout().format(layout().filtering(scaled, extent));
  }

  /**
   * Merges the pieces of one tile, in their order.
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
    if (layout().cells().isEmpty()) {
      merged.add(new Merged(scaled, image));
      bytes += image.map(stored -> stored.bytes().byteSize()).orElse(0L);
    } else {
      // A tile and the BLOBs of its cells are undone together.
      tiles.put(step.changes(), scaled, extent, image);
    }
  }

  /** Stores the tiles that are kept if they exceed {@link #LIMIT}. */
  void storeIfMany() {
    if (bytes > LIMIT) {
      store();
    }
  }

  /** Stores the tiles that are kept. A failure of the storage ends the transaction. */
  void store() {
    merged.forEach(tile -> tiles.put(step.transaction(), tile.scaled, extent, tile.image));
    merged.clear();
    bytes = 0;
  }
}
