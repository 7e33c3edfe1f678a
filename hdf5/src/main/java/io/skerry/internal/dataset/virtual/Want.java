package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The elements of one part of a virtual dataset that a rank wants.
 *
 * @param id identifies the part among all parts of the dataset, on all ranks
 * @param pieces the elements, ascending by their numbers in the part; their places are those in the
 *     packed values of the rank that wants them
 */
record Want(Id id, List<Piece> pieces) {
  /**
   * Identifies a part, or a slice of a large one.
   *
   * @param mapping the index of its mapping
   * @param block the number of the block, for a mapping with one source per block
   * @param slice the position of the elements within the part: all ranks cut large parts into the
   *     same slices
   */
  record Id(int mapping, long block, long slice) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      return Comparator.comparingInt(Id::mapping)
          .thenComparingLong(Id::block)
          .thenComparingLong(Id::slice)
          .compare(this, other);
    }
  }

  /** Returns the number of elements of pieces. */
  static long elements(List<Piece> pieces) {
    return pieces.stream().mapToLong(Piece::length).sum();
  }

  /** Appends the part and the numbers of the elements to a message. */
  void encode(ByteWriter out) {
    out.u32(id.mapping()).u64(id.block()).u64(id.slice()).u32(pieces.size());
    pieces.forEach(piece -> out.u64(piece.number()).u64(piece.length()));
  }

  /** Decodes what another rank wants; the places count the elements. */
  static Want decode(ByteReader in) {
    Id id = new Id(in.i32(), in.i64(), in.i64());
    List<Piece> pieces = new ArrayList<>();
    long place = 0;
    for (long left = in.u32(); left > 0; left--) {
      Piece piece = new Piece(in.i64(), place, in.i64());
      pieces.add(piece);
      place += piece.length();
    }
    return new Want(id, pieces);
  }

  /**
   * Returns the elements that one or several ranks want, each once, with places that count them.
   */
  static List<Piece> union(List<Want> wants) {
    if (wants.size() == 1) {
      return counted(wants.getFirst().pieces());
    }
    List<Piece> all = new ArrayList<>();
    wants.forEach(want -> all.addAll(want.pieces()));
    all.sort(Comparator.comparingLong(Piece::number));
    return counted(all);
  }

  private static List<Piece> counted(List<Piece> ascending) {
    List<Piece> union = new ArrayList<>();
    long end = 0;
    long place = 0;
    for (Piece piece : ascending) {
      long stop = piece.number() + piece.length();
      long first = Math.max(piece.number(), end);
      if (first >= stop) {
        continue;
      }
      boolean joins = !union.isEmpty() && first == end;
      Piece last = joins ? union.removeLast() : new Piece(first, place, 0);
      union.add(new Piece(last.number(), last.place(), stop - last.number()));
      place += stop - first;
      end = stop;
    }
    return union;
  }
}
