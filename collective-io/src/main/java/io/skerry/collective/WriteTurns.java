package io.skerry.collective;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.space.Box;
import io.skerry.chunk.space.Shape;
import java.util.ArrayList;
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

  /** What each rank tells the others: its elements, which of them in part, the box around them. */
  static ByteWriter letter(ContiguousDataset.Part part, Shape shape) {
    ByteWriter letter = ByteWriter.create();
    long count = part.selection().count(shape);
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

  static WriteTurns of(List<ByteReader> letters, int rank) {
    List<Optional<Box>> boxes = new ArrayList<>();
    long[] counts = new long[letters.size()];
    int[] turns = new int[letters.size()];
    long elements = 0;
    long inParts = 0;
    for (int writer = 0; writer < counts.length; writer++) {
      ByteReader letter = letters.get(writer);
      counts[writer] = letter.remaining() > 0 ? letter.i64() : 0;
      elements += counts[writer];
      inParts += letter.remaining() > 0 ? letter.i64() : 0;
      boxes.add(counts[writer] > 0 && rank > 0 ? Optional.of(box(letter, rank)) : Optional.empty());
      for (int lower = 0; lower < writer && counts[writer] > 0; lower++) {
        if (counts[lower] > 0 && meet(boxes.get(lower), boxes.get(writer))) {
          turns[writer] = Math.max(turns[writer], turns[lower] + 1);
        }
      }
    }
    return new WriteTurns(turns, elements, inParts);
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
