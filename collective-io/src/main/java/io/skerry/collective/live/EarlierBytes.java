package io.skerry.collective.live;

import io.skerry.format.block.Block;
import io.skerry.format.live.SavedBlocks.Saved;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The places where the content of an epoch is saved, for all bytes of an HDF5 file that were
 * replaced since. Immutable.
 */
final class EarlierBytes {
  /** No byte was replaced. */
  static final EarlierBytes NONE = new EarlierBytes(new TreeMap<>());

  /** Disjoint pieces by the position of their first byte in the HDF5 file. */
  private final TreeMap<Long, Piece> pieces;

  /**
   * A range of bytes that are saved together.
   *
   * @param range the range in the HDF5 file, within the saved block
   * @param saved the saved block
   * @param offset the offset of the content of the saved block in the live file
   */
  record Piece(Block range, Saved saved, long offset) {
    private Piece cut(long from, long to) {
      long start = Math.max(from, range.address());
      return new Piece(new Block(start, Math.min(to, range.end()) - start), saved, offset);
    }
  }

  private EarlierBytes(TreeMap<Long, Piece> pieces) {
    this.pieces = pieces;
  }

  /**
   * Combines saved blocks. Of several blocks with the same byte, the first one counts.
   *
   * @param parts the saved blocks in the order of the flushes that have saved them
   */
  static EarlierBytes of(List<LiveFile.Part> parts) {
    EarlierBytes all = new EarlierBytes(new TreeMap<>());
    for (LiveFile.Part part : parts) {
      for (Saved saved : part.saved().blocks()) {
        all.add(new Piece(saved.block(), saved, part.offset() + saved.offset()));
      }
    }
    return all;
  }

  /** Adds those parts of a piece that no earlier piece covers. */
  private void add(Piece piece) {
    long at = piece.range().address();
    for (Piece other : within(piece.range())) {
      if (other.range().address() > at) {
        pieces.put(at, piece.cut(at, other.range().address()));
      }
      at = other.range().end();
    }
    if (at < piece.range().end()) {
      pieces.put(at, piece.cut(at, piece.range().end()));
    }
  }

  /** Returns the parts of all pieces that are within a range, in the order of their positions. */
  List<Piece> within(Block range) {
    if (pieces.isEmpty() || range.length() == 0) {
      return List.of();
    }
    List<Piece> found = new ArrayList<>();
    Map.Entry<Long, Piece> before = pieces.lowerEntry(range.address());
    if (before != null && before.getValue().range().end() > range.address()) {
      found.add(before.getValue().cut(range.address(), range.end()));
    }
    for (Piece piece : pieces.subMap(range.address(), range.end()).values()) {
      found.add(piece.cut(range.address(), range.end()));
    }
    return found;
  }
}
