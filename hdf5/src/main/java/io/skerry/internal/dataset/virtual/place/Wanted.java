package io.skerry.internal.dataset.virtual.place;

import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The elements of a selection, as runs.
 *
 * @param once the runs that contain each selected element once
 * @param repeated the runs that contain the repeated occurrences of elements in a point list
 */
public record Wanted(Runs once, Runs repeated) {
  /**
   * Returns the elements of a selection.
   *
   * @param selection a resolved selection
   * @param shape the extent of the dataset
   */
  public static Wanted of(Selection selection, Shape shape) {
    Optional<Runs> block = Runs.ofBlock(selection, shape);
    return block.isPresent()
        ? new Wanted(block.get(), Runs.of(List.of()))
        : ofRuns(selection, shape);
  }

  private static Wanted ofRuns(Selection selection, Shape shape) {
    List<long[]> runs = new ArrayList<>();
    long[] packed = {0};
    selection.forEachRun(
        shape,
        (at, length) -> {
          long start = Runs.linear(at, shape);
          long[] last = runs.isEmpty() ? new long[3] : runs.getLast();
          if (!runs.isEmpty() && start == last[0] + last[1]) {
            last[1] += length;
          } else {
            runs.add(new long[] {start, length, packed[0]});
          }
          packed[0] += length;
        });
    runs.sort((a, b) -> Long.compare(a[0], b[0]));
    List<long[]> once = new ArrayList<>();
    List<long[]> repeated = new ArrayList<>();
    long covered = 0;
    for (long[] run : runs) {
      long end = run[0] + run[1];
      long fresh = Math.clamp(covered, run[0], end);
      if (fresh > run[0]) {
        repeated.add(new long[] {run[0], fresh - run[0], run[2]});
      }
      if (fresh < end) {
        once.add(new long[] {fresh, end - fresh, run[2] + fresh - run[0]});
      }
      covered = Math.max(covered, end);
    }
    return new Wanted(Runs.of(once), Runs.of(repeated));
  }

  /** Receives elements that are selected more than once. */
  @FunctionalInterface
  public interface Repetition {
    /**
     * Receives consecutive elements.
     *
     * @param from the place of the occurrence in {@link Wanted#once}
     * @param to the place of another occurrence
     * @param length the number of elements
     */
    void apply(long from, long to, long length);
  }

  /** Visits the repeated occurrences of elements. */
  public void forEachRepeated(Repetition repetition) {
    for (int i = 0; i < repeated.start().length; i++) {
      long first = repeated.start()[i];
      long to = repeated.place()[i];
      once.forEachWithin(
          first,
          first + repeated.length()[i],
          (begin, length, place) -> repetition.apply(place, to + begin - first, length));
    }
  }
}
