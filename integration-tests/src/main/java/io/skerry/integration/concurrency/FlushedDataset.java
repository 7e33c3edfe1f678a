package io.skerry.integration.concurrency;

import io.skerry.Dataset;
import io.skerry.selection.Selection;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * A dataset shared by several ranks, with the history of its content: the state after each change,
 * and the states that were flushed. Each rank records the changes of all ranks, so the history is
 * exact. One thread changes the history; other threads check the values that they read against it.
 */
final class FlushedDataset {
  private final SharedLayout layout;
  private final Dataset dataset;
  private final Dataset independent;

  /**
   * The content at the beginning and after each change; the value 0 means that an element was never
   * written or was erased.
   */
  private final List<int[]> states = new CopyOnWriteArrayList<>();

  /**
   * For each flush, the index of the state that it stored. A collective read counts as a flush,
   * because it may flush first.
   */
  private final List<Integer> flushed = new CopyOnWriteArrayList<>();

  private volatile int rows;
  private volatile int flushes;

  /** The number of shrinks of the extent that have begun. */
  private volatile int shrinks;

  /** The rule for the content that an independent read may return. */
  enum Sight {
    /** The complete state that the last flush, or a flush during the read, stored. */
    FLUSHES,
    /**
     * The complete state at the last flush or after any later change, because each write may flush
     * the state that precedes it.
     */
    WRITES,
    /** For each element, any value that the element has had since the last flush. */
    ELEMENTS
  }

  /**
   * Begins the history.
   *
   * @param dataset a flushed dataset in which no element was written
   */
  FlushedDataset(SharedLayout layout, Dataset dataset, int rows) {
    this.layout = layout;
    this.dataset = dataset;
    this.independent = dataset.independent();
    this.rows = rows;
    states.add(new int[SharedLayout.MOST_ROWS * SharedLayout.COLUMNS]);
    flushed.add(0);
  }

  SharedLayout layout() {
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

  /** Writes the part of this rank, and records the parts of all ranks. */
  void write(List<ElementSet> parts, List<int[]> numbers, int rank) {
    int[] next = states.getLast().clone();
    for (int of = 0; of < parts.size(); of++) {
      int[] positions = parts.get(of).positions();
      for (int i = 0; i < positions.length; i++) {
        next[positions[i]] = numbers.get(of)[i];
      }
    }
    // The state is recorded before a reader can see it.
    states.add(next);
    layout.write(dataset, parts.get(rank).selection(), numbers.get(rank));
  }

  /** Erases the part of this rank, and records the parts of all ranks. */
  void erase(List<ElementSet> parts, int rank) {
    int[] next = states.getLast().clone();
    parts.forEach(part -> Arrays.stream(part.positions()).forEach(at -> next[at] = 0));
    states.add(next);
    dataset.erase(parts.get(rank).selection());
  }

  /** Extends the dataset to {@code next} rows, at least as many as before. */
  void grow(int next) {
    dataset.extendTo(next, SharedLayout.COLUMNS);
    rows = next;
  }

  /** Shrinks the dataset to fewer rows, which flushes the previous state. */
  // Only one thread increments the counter.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void shrink(int next) {
    int[] cut = states.getLast().clone();
    Arrays.fill(cut, next * SharedLayout.COLUMNS, cut.length, 0);
    shrinks++;
    rows = next;
    dataset.extendTo(next, SharedLayout.COLUMNS);
    states.add(cut);
  }

  /** Records that a flush of the current state begins. */
  void flushBegins() {
    flushed.add(states.size() - 1);
  }

  /** Records that the flush has ended. */
  void flushHasEnded() {
    flushes = flushed.size() - 1;
  }

  /** Reads collectively and checks the values; a collective read returns all written values. */
  void readTogether(ElementSet cells) {
    int[] read = layout.read(dataset, cells.selection());
    if (!Arrays.equals(cells.of(states.getLast()), read)) {
      throw wrong("together", cells, read);
    }
  }

  /** Reads existing elements independently in the calling thread, and checks the values. */
  void readAlone(Function<Integer, ElementSet> choice, Sight sight) {
    look(
        choice,
        sight,
        IntUnaryOperator.identity(),
        cells -> layout.read(independent, cells.selection()));
  }

  /** Queries independently which elements are defined, and checks the result. */
  void definedAlone(Function<Integer, ElementSet> choice, Sight sight) {
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
      Function<Integer, ElementSet> choice,
      Sight sight,
      IntUnaryOperator shown,
      Function<ElementSet, int[]> reading) {
    int cutBefore = shrinks;
    int before = flushes;
    ElementSet cells = choice.apply(rows);
    int[] read;
    try {
      read = reading.apply(cells);
    } catch (IllegalArgumentException e) {
      if (shrinks == cutBefore) {
        throw e;
      }
      // A shrink that began meanwhile may have removed the chosen elements.
      return;
    }
    check(cells, before, sight, shown, read);
  }

  private static boolean isIn(Selection found, int at) {
    return found.contains(at / SharedLayout.COLUMNS, at % SharedLayout.COLUMNS);
  }

  /**
   * Checks the values of a read.
   *
   * @param before the index in {@link #flushed} of the last flush that ended before the read began
   * @param shown a function from the recorded number of an element, which is 0 if unwritten, to the
   *     value that the read must return
   */
  private void check(
      ElementSet cells, int before, Sight sight, IntUnaryOperator shown, int[] read) {
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

  private AssertionError wrong(String how, ElementSet cells, int[] read) {
    StringBuilder text = new StringBuilder(dataset.path() + " read " + how + ": " + cells);
    text.append(" actual ").append(Arrays.toString(read));
    for (int i = Math.max(0, states.size() - 6); i < states.size(); i++) {
      text.append("\n state ").append(i).append(flushed.contains(i) ? " (flushed)" : "");
      text.append(' ').append(Arrays.toString(cells.of(states.get(i))));
    }
    return new AssertionError(text.toString());
  }
}
