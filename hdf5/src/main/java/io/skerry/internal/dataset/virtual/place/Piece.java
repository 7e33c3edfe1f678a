package io.skerry.internal.dataset.virtual.place;

import io.skerry.selection.Box;
import io.skerry.selection.PointList;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run of selected elements that are consecutive both in a part and in the packed values.
 *
 * @param number the number of elements of the part before the piece
 * @param place the position of the piece in the packed values, in elements
 * @param length the number of elements
 */
public record Piece(long number, long place, long length) {
  /**
   * The base of the limit on the number of runs of a part that are enumerated; the limit is higher
   * by four for each run of selected elements or each piece. If a part has more runs, only those
   * near each run of selected elements or each piece are enumerated, since a damaged mapping may
   * have any number of runs.
   */
  private static final int ENUMERATED = 4096;

  /**
   * Returns the intersection of a part and the selected elements, in the order of the part.
   *
   * @param virtual the elements of the part
   * @param shape the extent of the virtual dataset
   * @param wanted the runs that contain each selected element once
   */
  public static List<Piece> of(Selection virtual, Shape shape, Runs wanted) {
    List<Piece> pieces = new ArrayList<>();
    if (wanted.isEmpty()) {
      return pieces;
    }
    Optional<Runs> block = Runs.ofBlock(virtual, shape);
    if (block.isPresent()) {
      long first = block.get().first();
      wanted.forEachWithin(
          first,
          block.get().end(),
          (begin, length, place) -> append(pieces, new Piece(begin - first, place, length)));
      return pieces;
    }
    RowRange all = RowRange.ofIndices(virtual, shape, wanted.first(), wanted.end());
    if (all.hasMoreRunsThan(ENUMERATED + 4L * wanted.start().length)) {
      wanted.forEachWithin(
          wanted.first(),
          wanted.end(),
          (from, length, _) -> {
            RowRange near = RowRange.ofIndices(virtual, shape, from, from + length);
            collect(near, shape, wanted, new Window(from, from + length), pieces);
          });
    } else {
      collect(all, shape, wanted, new Window(wanted.first(), wanted.end()), pieces);
    }
    return pieces;
  }

  /** A range of row-major indices. */
  private record Window(long from, long end) {}

  private static void collect(
      RowRange range, Shape shape, Runs wanted, Window window, List<Piece> pieces) {
    long[] number = {range.before()};
    range
        .selection()
        .forEachRun(
            shape,
            (at, length) -> {
              long first = Runs.linear(at, shape);
              wanted.forEachWithin(
                  Math.max(first, window.from),
                  Math.min(first + length, window.end),
                  (begin, run, place) ->
                      append(pieces, new Piece(number[0] + begin - first, place, run)));
              number[0] += length;
            });
  }

  /** Appends a piece, or extends the last piece if the new one continues it. */
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
  public static Selection needed(Shape extent, Selection from, List<Piece> pieces) {
    long total = 0;
    for (Piece piece : pieces) {
      total += piece.length;
    }
    if (total == from.count(extent)) {
      return from;
    }
    Piece last = pieces.getLast();
    RowRange range = RowRange.ofNumbers(from, pieces.getFirst().number, last.number + last.length);
    if (total == range.selection().count(extent)) {
      return range.selection();
    }
    if (from instanceof PointList points) {
      return points(points, pieces, Math.toIntExact(total));
    }
    List<Box> boxes = new ArrayList<>();
    if (range.hasMoreRunsThan(ENUMERATED + 4L * pieces.size())) {
      for (Piece piece : pieces) {
        RowRange near = RowRange.ofNumbers(from, piece.number, piece.number + piece.length);
        collect(near, extent, List.of(piece), boxes);
      }
    } else {
      collect(range, extent, pieces, boxes);
    }
    return Selection.blocks(boxes);
  }

  /** Returns the points of pieces; a union of blocks would not keep their order. */
  private static Selection points(PointList from, List<Piece> pieces, int total) {
    int rank = from.dimensions();
    long[] flat = new long[Math.multiplyExact(total, rank)];
    int at = 0;
    for (Piece piece : pieces) {
      for (long number = piece.number; number < piece.number + piece.length; number++) {
        for (int d = 0; d < rank; d++) {
          flat[at] = from.coordinate((int) number, d);
          at++;
        }
      }
    }
    return SelectionSets.points(rank, flat);
  }

  /** Adds the source elements of pieces within a range of the source elements. */
  private static void collect(RowRange range, Shape extent, List<Piece> ordered, List<Box> boxes) {
    long[] number = {range.before()};
    int[] next = {0};
    range
        .selection()
        .forEachRun(
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
