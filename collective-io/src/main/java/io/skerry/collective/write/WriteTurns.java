package io.skerry.collective.write;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.dataset.ContiguousDataset;
import io.skerry.collective.wire.Exchange;
import io.skerry.selection.Box;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Who writes when into one block, so that the highest rank wins: ranks whose boxes do not meet
 * write at once, a rank whose box meets that of a lower one writes after it. The same on all ranks.
 *
 * @param turns per rank the number of its turn
 * @param elements sum of the elements that the ranks write
 * @param inParts how many of these are written in part only, so that the old ones are needed
 */
record WriteTurns(int[] turns, long elements, long inParts) {

  /**
   * What a rank tells the others: its elements, which of them in part, the box around them. One
   * that writes nothing has nothing to say.
   */
  static ByteWriter letter(ContiguousDataset.Part part, Shape shape) {
    ByteWriter letter = ByteWriter.create();
    long count = part.selection().count(shape);
    if (count == 0) {
      return letter;
    }
    letter.u64(count).u64(part.conversion().keepsBackground() ? count : 0);
    part.selection()
        .boundingBox(shape)
        .ifPresent(box -> {
          for (int i = 0; i < box.rank(); i++) {
            letter.u64(box.start(i)).u64(box.end(i));
          }
        });
    return letter;
  }

  /**
   * @param letters of those who write
   * @param ranks how many there are
   * @param rank number of dimensions
   */
  static WriteTurns of(Exchange.Inbox letters, int ranks, int rank) {
    List<Writer> writers = new ArrayList<>();
    long elements = 0;
    long inParts = 0;
    for (int writer : letters.senders()) {
      ByteReader letter = letters.from(writer);
      elements += letter.i64();
      inParts += letter.i64();
      writers.add(new Writer(writer, rank > 0 ? Optional.of(box(letter, rank)) : Optional.empty()));
    }
    int[] turns = new int[ranks];
    if (!areApart(writers, rank)) {
      takeTurns(writers, turns);
    }
    return new WriteTurns(turns, elements, inParts);
  }

  private record Writer(int rank, Optional<Box> box) {
    long start(int dimension) {
      return box.orElseThrow().start(dimension);
    }

    long end(int dimension) {
      return box.orElseThrow().end(dimension);
    }
  }

  /** Returns whether one dimension tells that no two meet: mostly so, and found out much sooner. */
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

  private static Box box(ByteReader letter, int rank) {
    long[] start = new long[rank];
    long[] end = new long[rank];
    for (int i = 0; i < rank; i++) {
      start[i] = letter.i64();
      end[i] = letter.i64();
    }
    return new Box(start, end);
  }

  /** Elements of a scalar have no box and always meet. */
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

  /** How many turns there are. */
  int count() {
    int greatest = 0;
    for (int turn : turns) {
      greatest = Math.max(greatest, turn);
    }
    return greatest + 1;
  }
}
