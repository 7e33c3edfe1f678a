package io.skerry.chunk.dataspace;

import java.util.Arrays;

/**
 * Set operations on {@link RunSet}s, each in one pass over two sorted lists, and the union of runs
 * in any order.
 */
public final class RunMerge {
  private RunMerge() {}

  /** Returns the union of runs, which may be in any order and may overlap. */
  public static RunSet ofRuns(long[] starts, long[] ends, int runs) {
    boolean ascends = true;
    for (int i = 1; i < runs && ascends; i++) {
      ascends = starts[i] >= starts[i - 1];
    }
    SortOrder order = SortOrder.of(ascends ? new long[0] : Arrays.copyOf(starts, runs));
    RunSet.Builder out = new RunSet.Builder(runs);
    for (int i = 0; i < runs; i++) {
      int run = ascends ? i : order.position(i);
      out.merge(starts[run], ends[run]);
    }
    return out.build();
  }

  static RunSet intersect(RunSet a, RunSet b) {
    RunSet.Builder out = new RunSet.Builder();
    int i = 0;
    int j = 0;
    while (i < a.runs() && j < b.runs()) {
      long from = Math.max(a.start(i), b.start(j));
      long to = Math.min(a.end(i), b.end(j));
      if (from < to) {
        out.add(from, to);
      }
      if (a.end(i) < b.end(j)) {
        i++;
      } else {
        j++;
      }
    }
    return out.build();
  }

  static RunSet union(RunSet a, RunSet b) {
    if (a.isEmpty()) {
      return b;
    }
    if (b.isEmpty()) {
      return a;
    }
    RunSet.Builder out = new RunSet.Builder();
    int i = 0;
    int j = 0;
    while (i < a.runs() || j < b.runs()) {
      if (j == b.runs() || i < a.runs() && a.start(i) <= b.start(j)) {
        out.merge(a.start(i), a.end(i));
        i++;
      } else {
        out.merge(b.start(j), b.end(j));
        j++;
      }
    }
    return out.build();
  }

  static RunSet subtract(RunSet a, RunSet b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a;
    }
    RunSet.Builder out = new RunSet.Builder();
    int j = 0;
    for (int i = 0; i < a.runs(); i++) {
      long from = a.start(i);
      while (j < b.runs() && b.end(j) <= from) {
        j++;
      }
      for (int k = j; k < b.runs() && b.start(k) < a.end(i); k++) {
        if (b.start(k) > from) {
          out.add(from, b.start(k));
        }
        from = b.end(k);
      }
      if (from < a.end(i)) {
        out.add(from, a.end(i));
      }
    }
    return out.build();
  }
}
