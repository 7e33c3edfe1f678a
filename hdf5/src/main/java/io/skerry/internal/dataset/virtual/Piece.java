package io.skerry.internal.dataset.virtual;

import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of selected elements that are consecutive both in a part and in the packed values.
 *
 * @param number the number of elements of the part before the piece
 * @param place the position of the piece in the packed values, in elements
 * @param length the number of elements
 */
record Piece(long number, long place, long length) {
  /**
   * Returns the intersection of a part and the selected elements, in the order of the part.
   *
   * @param virtual the elements of the part
   * @param shape the extent of the virtual dataset
   * @param wanted runs with each selected element once
   */
  static List<Piece> of(Selection virtual, Shape shape, Runs wanted) {
    List<Piece> pieces = new ArrayList<>();
    if (wanted.isEmpty()) {
      return pieces;
    }
    RowRange range = RowRange.ofIndices(virtual, shape, wanted.first(), wanted.end());
    long[] number = {range.before()};
    range
        .selection()
        .forEachRun(
            shape,
            (at, length) -> {
              long first = Runs.linear(at, shape);
              wanted.forEachWithin(
                  first,
                  first + length,
                  (begin, run, place) ->
                      append(pieces, new Piece(number[0] + begin - first, place, run)));
              number[0] += length;
            });
    return pieces;
  }

  /** Appends a piece, or extends the last piece by it. */
  private static void append(List<Piece> pieces, Piece piece) {
    Piece last = pieces.isEmpty() ? new Piece(-1, -1, 0) : pieces.getLast();
    if (last.number + last.length == piece.number && last.place + last.length == piece.place) {
      pieces.set(pieces.size() - 1, new Piece(last.number, last.place, last.length + piece.length));
    } else {
      pieces.add(piece);
    }
  }

  /**
   * Returns the source elements of pieces, one piece after the other.
   *
   * @param extent the extent of the source
   * @param from the source elements of the part
   */
  static Selection needed(Shape extent, Selection from, List<Piece> pieces) {
    List<Box> boxes = new ArrayList<>();
    List<Piece> ordered = new ArrayList<>(pieces);
    long total = ordered.stream().mapToLong(Piece::length).sum();
    Piece last = ordered.getLast();
    RowRange range = RowRange.ofNumbers(from, ordered.getFirst().number, last.number + last.length);
    Selection needed = range.selection();
    if (total != needed.count(extent)) {
      long[] number = {range.before()};
      int[] next = {0};
      needed.forEachRun(
          extent,
          (at, length) -> {
            long end = number[0] + length;
            while (next[0] < ordered.size() && ordered.get(next[0]).number < end) {
              Piece piece = ordered.get(next[0]);
              long begin = Math.max(piece.number, number[0]);
              long stop = Math.min(piece.number + piece.length, end);
              boxes.add(box(at, begin - number[0], stop - begin));
              if (piece.number + piece.length > end) {
                break;
              }
              next[0]++;
            }
            number[0] = end;
          });
      needed = Selection.blocks(boxes);
    }
    return needed;
  }

  private static Box box(long[] at, long offset, long length) {
    long[] start = at.clone();
    long[] end = new long[at.length];
    start[at.length - 1] += offset;
    for (int d = 0; d < at.length; d++) {
      end[d] = start[d] + 1;
    }
    end[at.length - 1] = start[at.length - 1] + length;
    return new Box(start, end);
  }
}
