package io.skerry.internal.dataset.through;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Positions in a list of packed values, as runs of consecutive positions. The positions are
 * numbered in the order of the runs. Immutable.
 */
public final class PackedRuns {
  private final long[] first;

  /** The number of positions before each run, followed by the total number of positions. */
  private final long[] before;

  private PackedRuns(List<long[]> runs) {
    first = runs.stream().mapToLong(run -> run[0]).toArray();
    before = new long[first.length + 1];
    for (int i = 0; i < first.length; i++) {
      before[i + 1] = before[i] + runs.get(i)[1];
    }
  }

  /** Collects runs. */
  public static final class Builder {
    private final List<long[]> runs = new ArrayList<>();

    /** Appends a run, or extends the last run if the new one continues it. */
    public void append(long first, long length) {
      long[] last = runs.isEmpty() ? new long[] {-1, 0} : runs.getLast();
      if (last[0] + last[1] == first) {
        last[1] += length;
      } else {
        runs.add(new long[] {first, length});
      }
    }

    public PackedRuns build() {
      return new PackedRuns(runs);
    }
  }

  long count() {
    return before[first.length];
  }

  /** Visits the positions numbered from {@code from} (inclusive) to {@code end} (exclusive). */
  public void forEachWithin(long from, long end, Coverage.RangeAction action) {
    int found = Arrays.binarySearch(before, from);
    int run = found >= 0 ? found : -found - 2;
    for (long at = from; at < end; run++) {
      long stop = Math.min(end, before[run + 1]);
      if (at < stop) {
        action.apply(first[run] + at - before[run], stop - at);
        at = stop;
      }
    }
  }

  void forEach(Coverage.RangeAction action) {
    forEachWithin(0, count(), action);
  }

  /** Returns the positions whose numbers are listed in {@code numbers}, in that order. */
  public PackedRuns at(PackedRuns numbers) {
    Builder positions = new Builder();
    numbers.forEach((from, length) -> forEachWithin(from, from + length, positions::append));
    return positions.build();
  }
}
