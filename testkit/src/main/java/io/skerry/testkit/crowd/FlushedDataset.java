package io.skerry.testkit.crowd;

import io.skerry.Dataset;
import io.skerry.selection.Selection;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * A dataset of several ranks, and all that it has held: after each write, and which of that was
 * flushed. Every rank knows what all write, so it knows this exactly. One thread changes it, others
 * compare with it what they read.
 */
final class FlushedDataset {
  private final Layout layout;
  private final Dataset dataset;
  private final Dataset independent;

  /** What there was after each write; 0 is an element that nobody wrote. */
  private final List<int[]> states = new CopyOnWriteArrayList<>();

  /** By flush, which state it stored. */
  private final List<Integer> flushed = new CopyOnWriteArrayList<>();

  private volatile int rows;
  private volatile int flushes;

  /** How often the extent was about to shrink. */
  private volatile int shrinks;

  /** What a reader without other ranks may see. */
  enum Sight {
    /** What a flush stored, as a whole. */
    FLUSHES,
    /** What there was after a write, as a whole: a write may flush what was before it. */
    WRITES,
    /** Of each element what was written at any time since a flush. */
    ELEMENTS
  }

  /**
   * @param dataset empty and flushed
   */
  FlushedDataset(Layout layout, Dataset dataset, int rows) {
    this.layout = layout;
    this.dataset = dataset;
    this.independent = dataset.independent();
    this.rows = rows;
    states.add(new int[Layout.MOST_ROWS * Layout.COLUMNS]);
    flushed.add(0);
  }

  Layout layout() {
    return layout;
  }

  Dataset dataset() {
    return dataset;
  }

  Dataset independent() {
    return independent;
  }

  int rows() {
    return rows;
  }

  /** Writes this rank's part, of which there is one of each rank. */
  void write(List<Cells> parts, List<int[]> numbers, int rank) {
    int[] next = states.getLast().clone();
    for (int of = 0; of < parts.size(); of++) {
      int[] positions = parts.get(of).positions();
      for (int i = 0; i < positions.length; i++) {
        next[positions[i]] = numbers.get(of)[i];
      }
    }
    // Before anybody can see it.
    states.add(next);
    layout.write(dataset, parts.get(rank).selection(), numbers.get(rank));
  }

  /** Erases this rank's part, of which there is one of each rank. */
  void erase(List<Cells> parts, int rank) {
    int[] next = states.getLast().clone();
    parts.forEach(part -> Arrays.stream(part.positions()).forEach(at -> next[at] = 0));
    states.add(next);
    dataset.erase(parts.get(rank).selection());
  }

  /** Takes more rows. */
  void grow(int next) {
    dataset.extendTo(next, Layout.COLUMNS);
    rows = next;
  }

  /** Takes fewer rows, which flushes what was there before. */
  // One thread changes it.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void shrink(int next) {
    int[] cut = states.getLast().clone();
    Arrays.fill(cut, next * Layout.COLUMNS, cut.length, 0);
    shrinks++;
    rows = next;
    dataset.extendTo(next, Layout.COLUMNS);
    states.add(cut);
  }

  /** The present state is about to be flushed. */
  void flushBegins() {
    flushed.add(states.size() - 1);
  }

  /** It was. */
  void flushHasEnded() {
    flushes = flushed.size() - 1;
  }

  /** Reads together with the other ranks, which see all that was written. */
  void readTogether(Cells cells) {
    int[] read = layout.read(dataset, cells.selection());
    if (!Arrays.equals(cells.of(states.getLast()), read)) {
      throw wrong("together", cells, read);
    }
  }

  /** Reads as one thread for itself some elements that there are. */
  void readAlone(Function<Integer, Cells> choice, Sight sight) {
    look(
        choice,
        sight,
        IntUnaryOperator.identity(),
        cells -> layout.read(independent, cells.selection()));
  }

  /** The same of which elements are defined. */
  void definedAlone(Function<Integer, Cells> choice, Sight sight) {
    look(
        choice,
        sight,
        number -> number == 0 && layout.isSparse() ? 0 : 1,
        cells -> {
          Selection found = independent.defined(cells.selection());
          return Arrays.stream(cells.positions()).map(at -> isIn(found, at) ? 1 : 0).toArray();
        });
  }

  private void look(
      Function<Integer, Cells> choice,
      Sight sight,
      IntUnaryOperator shown,
      Function<Cells, int[]> reading) {
    int cutBefore = shrinks;
    int before = flushes;
    Cells cells = choice.apply(rows);
    int[] read;
    try {
      read = reading.apply(cells);
    } catch (IllegalArgumentException e) {
      if (shrinks == cutBefore) {
        throw e;
      }
      // What was chosen has just been cut off.
      return;
    }
    check(cells, before, sight, shown, read);
  }

  private static boolean isIn(Selection found, int at) {
    return found.contains(at / Layout.COLUMNS, at % Layout.COLUMNS);
  }

  /**
   * @param before flushes that had ended before the read began
   * @param shown what of a number can be seen
   */
  private void check(Cells cells, int before, Sight sight, IntUnaryOperator shown, int[] read) {
    int lastFlush = flushed.size() - 1;
    int lastState = states.size() - 1;
    IntStream candidates =
        sight == Sight.FLUSHES
            ? IntStream.rangeClosed(before, lastFlush).map(flushed::get)
            : IntStream.rangeClosed(flushed.get(before), lastState);
    List<int[]> expected =
        candidates
            .mapToObj(state -> Arrays.stream(cells.of(states.get(state))).map(shown).toArray())
            .toList();
    boolean possible =
        sight == Sight.ELEMENTS
            ? IntStream.range(0, read.length)
                .allMatch(i -> expected.stream().anyMatch(state -> state[i] == read[i]))
            : expected.stream().anyMatch(state -> Arrays.equals(state, read));
    if (!possible) {
      throw wrong("alone, after flush " + before + " of " + lastFlush, cells, read);
    }
  }

  private AssertionError wrong(String how, Cells cells, int[] read) {
    StringBuilder text = new StringBuilder(dataset.path() + " read " + how + ": " + cells);
    text.append(" actual ").append(Arrays.toString(read));
    for (int i = Math.max(0, states.size() - 6); i < states.size(); i++) {
      text.append("\n state ").append(i).append(flushed.contains(i) ? " (flushed)" : "");
      text.append(' ').append(Arrays.toString(cells.of(states.get(i))));
    }
    return new AssertionError(text.toString());
  }
}
