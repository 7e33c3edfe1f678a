package io.skerry.collective.write;

import io.skerry.cache.api.ChunkChange;
import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.PieceCodec;
import io.skerry.collective.plan.WriteRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The pieces that one write applies to a chunk, in a file that a single rank has open. */
final class SingleRankChange implements ChunkChange {
  private final ChunkedDataset dataset;
  private final ChunkKey key;
  private final List<Piece> pieces;
  private final boolean covers;

  /** The old elements that were overwritten to create the latest version. */
  private volatile List<ChunkMerger.Overwritten> overwritten = List.of();

  SingleRankChange(ChunkedDataset dataset, ChunkKey key, List<Piece> pieces) {
    this.dataset = dataset;
    this.key = key;
    this.pieces = pieces;
    this.covers = isRemoval() || pieces.stream().anyMatch(SingleRankChange::isWhole);
  }

  /** Returns whether the change removes the chunk. */
  boolean isRemoval() {
    return pieces.getFirst().change() instanceof WriteRequest.Removal;
  }

  private static boolean isWhole(Piece piece) {
    return piece.replacesElements() && piece.slice().coversWholeChunk();
  }

  @Override
  public ChunkCoordinates chunk() {
    return key.chunk();
  }

  @Override
  public Base base() {
    // A removal reads no elements: the listener receives only elements that are overwritten
    // with values.
    boolean hasListener = dataset.overwritten().isPresent();
    return isRemoval() || covers && !hasListener ? Base.REPLACED : Base.PRESENT;
  }

  @Override
  public Coverage coverage() {
    return covers ? Coverage.WHOLE : Coverage.PART;
  }

  @Override
  public WhenSame whenSame() {
    boolean restores =
        pieces.stream().anyMatch(piece -> piece.change() instanceof WriteRequest.Restoring);
    return restores ? WhenSame.STORED_ANEW : WhenSame.LEFT;
  }

  @Override
  public MemoryChunk apply(MemoryChunk before) {
    List<ChunkMerger.Overwritten> replaced = new ArrayList<>();
    MemoryChunk version = before;
    for (Piece piece : pieces) {
      boolean erasesNothing =
          piece.change() instanceof WriteRequest.Erasure && version.definedCount() == 0;
      if (!erasesNothing) {
        version = ChunkMerger.applied(dataset, version, incoming(piece), replaced);
      }
    }
    overwritten = replaced;
    return version;
  }

  /** Releases the content of the elements that the published version overwrote. */
  void release() {
    overwritten.forEach(each -> each.release().run());
  }

  private PieceCodec.Incoming incoming(Piece piece) {
    return PieceCodec.Incoming.of(piece, values(piece));
  }

  /**
   * Returns the packed values of a piece: a slice of the caller's memory if possible, otherwise a
   * copy.
   */
  private static MemorySegment values(Piece piece) {
    ChunkSlice slice = piece.slice();
    if (piece.change() instanceof WriteRequest.Values(var packed, var conversion)
        && conversion.isIdentity()
        && slice.contiguousPlace().isPresent()) {
      long at = slice.contiguousPlace().getAsLong() * piece.elementSize();
      return packed.asSlice(at, piece.valueBytes());
    }
    MemorySegment values = HeapBytes.allocate(piece.valueBytes());
    piece.pack(values);
    return values;
  }

  /** Returns the caller's memory segments from which the pieces take their values. */
  List<MemorySegment> memory() {
    List<MemorySegment> found = new ArrayList<>();
    for (Piece piece : pieces) {
      if (piece.change() instanceof WriteRequest.Values(MemorySegment packed, _)) {
        found.add(packed);
      }
    }
    return found;
  }

  /** Returns the piece if there is exactly one, otherwise empty. */
  Optional<Piece> only() {
    return pieces.size() == 1 ? Optional.of(pieces.getFirst()) : Optional.empty();
  }
}
