package io.skerry.collective.write;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.dataset.ContiguousDataset;
import io.skerry.collective.wire.Exchange;
import io.skerry.selection.Box;
import io.skerry.selection.PointList;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Assigns turns to the ranks that write to a contiguous block, so that the highest rank's values
 * are stored where writes overlap. A rank whose bounding box intersects the box of a lower rank
 * writes after that rank. If no boxes intersect, all ranks write at the same time. Equal on all
 * ranks.
 *
 * @param turns the turn of each rank, from 0
 * @param elements the total number of elements that the ranks write
 * @param listed the number of these elements that are in lists of points, which may contain an
 *     element more than once
 * @param inParts the number of these elements that are written only in part, so that their old
 *     values are needed
 */
record WriteTurns(int[] turns, long elements, long listed, long inParts) {

  /**
   * Encodes the message that a rank sends to all ranks: the number of its elements, the number of
   * those in a list of points, the number of those that are written only in part, and their
   * bounding box. The message is empty if the rank writes nothing.
   */
  static ByteWriter encode(ContiguousDataset.Part part, Shape shape) {
    ByteWriter message = ByteWriter.create();
    long count = part.selection().count(shape);
    if (count == 0) {
      return message;
    }
    message.u64(count);
    message.u64(part.selection() instanceof PointList ? count : 0);
    message.u64(part.conversion().keepsBackground() ? count : 0);
    part.selection()
        .boundingBox(shape)
        .ifPresent(box -> {
          for (int i = 0; i < box.rank(); i++) {
            message.u64(box.start(i)).u64(box.end(i));
          }
        });
    return message;
  }

  /**
   * Assigns the turns.
   *
   * @param messages the messages of the ranks that write
   * @param ranks the number of ranks
   * @param rank the number of dimensions
   */
  static WriteTurns of(Exchange.Inbox messages, int ranks, int rank) {
    List<Writer> writers = new ArrayList<>();
    long elements = 0;
    long listed = 0;
    long inParts = 0;
    for (int writer : messages.senders()) {
      ByteReader message = messages.from(writer);
      elements += message.i64();
      listed += message.i64();
      inParts += message.i64();
      writers.add(
          new Writer(writer, rank > 0 ? Optional.of(box(message, rank)) : Optional.empty()));
    }
    int[] turns = new int[ranks];
    if (!areApart(writers, rank)) {
      takeTurns(writers, turns);
    }
    return new WriteTurns(turns, elements, listed, inParts);
  }

  private record Writer(int rank, Optional<Box> box) {
    long start(int dimension) {
      return box.orElseThrow().start(dimension);
    }

    long end(int dimension) {
      return box.orElseThrow().end(dimension);
    }
  }

  /**
   * Returns whether there is a dimension in which no two boxes overlap. This is the usual case, and
   * it can be detected much faster than by comparing all pairs.
   */
  private static boolean areApart(List<Writer> writers, int rank) {
    for (int d = 0; d < rank; d++) {
      int dimension = d;
      List<Writer> along = new ArrayList<>(writers);
      along.sort(Comparator.comparingLong(writer -> writer.start(dimension)));
      boolean apart = true;
      for (int i = 1; i < along.size() && apart; i++) {
        apart = along.get(i - 1).end(dimension) <= along.get(i).start(dimension);
      }
      if (apart) {
        return true;
      }
    }
    return false;
  }

  private static void takeTurns(List<Writer> writers, int[] turns) {
    for (int i = 0; i < writers.size(); i++) {
      Writer writer = writers.get(i);
      for (Writer lower : writers.subList(0, i)) {
        if (turns[lower.rank] >= turns[writer.rank] && meet(lower.box, writer.box)) {
          turns[writer.rank] = turns[lower.rank] + 1;
        }
      }
    }
  }

  private static Box box(ByteReader message, int rank) {
    long[] start = new long[rank];
    long[] end = new long[rank];
    for (int i = 0; i < rank; i++) {
      start[i] = message.i64();
      end[i] = message.i64();
    }
    return new Box(start, end);
  }

  /**
   * Returns whether two boxes intersect. The single element of a scalar has no box; an absent box
   * counts as intersecting every other box.
   */
  private static boolean meet(Optional<Box> a, Optional<Box> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return true;
    }
    for (int i = 0; i < a.get().rank(); i++) {
      if (a.get().end(i) <= b.get().start(i) || b.get().end(i) <= a.get().start(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if it is certain that the ranks write every element of an extent exactly once. */
  boolean covers(Shape shape) {
    return count() == 1 && listed == 0 && elements == shape.elements();
  }

  /** Returns the number of turns. */
  int count() {
    int greatest = 0;
    for (int turn : turns) {
      greatest = Math.max(greatest, turn);
    }
    return greatest + 1;
  }
}
