package io.skerry.chunk.dataspace;

import java.util.Arrays;

/**
 * A set of elements of one chunk (or of any box of fixed shape), as sorted, disjoint, maximal runs
 * of row-major indices. The working form of "which elements": set algebra is one merge of two
 * sorted lists, and a run is what a copy can move at once. Immutable.
 */
public final class RunSet {
  private static final RunSet EMPTY = new RunSet(new long[0], new long[0], 0);
  private static final long[] NOT_COUNTED = {};

  private final long[] starts;
  private final long[] ends;
  private final long count;

  /** Elements before each run, once somebody has asked. */
  private volatile long[] before = NOT_COUNTED;

  private RunSet(long[] starts, long[] ends, long count) {
    this.starts = starts;
    this.ends = ends;
    this.count = count;
  }

  /** No element. */
  public static RunSet empty() {
    return EMPTY;
  }

  /** The elements {@code start} to {@code end - 1}. */
  public static RunSet range(long start, long end) {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("not a range: start=" + start + " end=" + end);
    }
    return start == end ? EMPTY : new RunSet(new long[] {start}, new long[] {end}, end - start);
  }

  /** The given elements, in any order, repetitions allowed. */
  public static RunSet ofIndices(long... indices) {
    long[] sorted = indices;
    if (!ascends(indices)) {
      sorted = indices.clone();
      Arrays.sort(sorted);
    }
    return ofAscending(sorted, sorted.length);
  }

  /** As many elements of a list in ascending order, repetitions allowed. */
  public static RunSet ofAscending(long[] sorted, int n) {
    int runs = n == 0 ? 0 : 1;
    for (int i = 1; i < n; i++) {
      runs += sorted[i] > sorted[i - 1] + 1 ? 1 : 0;
    }
    long[] starts = new long[runs];
    long[] ends = new long[runs];
    int run = -1;
    for (int i = 0; i < n; i++) {
      if (i == 0 || sorted[i] > sorted[i - 1] + 1) {
        starts[++run] = sorted[i];
      }
      ends[run] = sorted[i] + 1;
    }
    return ofSorted(starts, ends, runs);
  }

  private static boolean ascends(long[] indices) {
    for (int i = 1; i < indices.length; i++) {
      if (indices[i] < indices[i - 1]) {
        return false;
      }
    }
    return true;
  }

  /** Number of runs. */
  public int runs() {
    return starts.length;
  }

  /** Takes ownership of runs that ascend and do not touch. */
  public static RunSet ofSorted(long[] starts, long[] ends, int runs) {
    long total = 0;
    for (int i = 0; i < runs; i++) {
      total += ends[i] - starts[i];
    }
    boolean fits = starts.length == runs;
    return runs == 0
        ? EMPTY
        : new RunSet(
            fits ? starts : Arrays.copyOf(starts, runs),
            fits ? ends : Arrays.copyOf(ends, runs),
            total);
  }

  /** Number of elements. */
  public long count() {
    return count;
  }

  /** Whether there is no element. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** First element of run i. */
  public long start(int i) {
    return starts[i];
  }

  /** One past the last element of run i. */
  public long end(int i) {
    return ends[i];
  }

  /** Elements in run i. */
  public long length(int i) {
    return ends[i] - starts[i];
  }

  /** One past the greatest element; 0 if empty. */
  public long bound() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  /** Whether the element is in the set. */
  public boolean contains(long index) {
    int at = Arrays.binarySearch(starts, index);
    int run = at >= 0 ? at : -at - 2;
    return run >= 0 && index < ends[run];
  }

  /** Whether every element of the other set is in this one. */
  public boolean containsAll(RunSet other) {
    return other.subtract(this).isEmpty();
  }

  /** Elements in both. */
  public RunSet intersect(RunSet other) {
    return RunMerge.intersect(this, other);
  }

  /** Elements in either. */
  public RunSet union(RunSet other) {
    return RunMerge.union(this, other);
  }

  /** Elements in this set that are not in the other. */
  public RunSet subtract(RunSet other) {
    return RunMerge.subtract(this, other);
  }

  /**
   * Number of elements in the runs before run i, which is where its values begin among all packed
   * ones. The first call takes time and memory for all runs, later ones do not.
   */
  public long before(int i) {
    long[] known = before;
    if (known.length == 0) {
      known = new long[starts.length];
      for (int run = 1; run < known.length; run++) {
        known[run] = known[run - 1] + length(run - 1);
      }
      before = known;
    }
    return known[i];
  }

  /**
   * First run from a run on that ends after an index; {@link #runs()} if none does. The time goes
   * with the logarithm of how far that is.
   */
  public int firstEndingAfter(long index, int fromRun) {
    int below = fromRun - 1;
    int step = 1;
    while (below + step < ends.length && ends[below + step] <= index) {
      below += step;
      step *= 2;
    }
    int at = Arrays.binarySearch(ends, below + 1, Math.min(ends.length, below + step), index);
    return at >= 0 ? at + 1 : -at - 1;
  }

  /** First run that ends after an index; {@link #runs()} if none does. */
  int firstEndingAfter(long index) {
    int at = Arrays.binarySearch(ends, index);
    return at >= 0 ? at + 1 : -at - 1;
  }

  /** The least element from an index on; the greatest number if there is none. */
  public long firstFrom(long index) {
    int run = firstEndingAfter(index);
    return run == starts.length ? Long.MAX_VALUE : Math.max(index, starts[run]);
  }

  /** One past the end of the run that an element lies in. */
  public long endOfRun(long element) {
    return ends[firstEndingAfter(element)];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RunSet that
        && Arrays.equals(starts, that.starts)
        && Arrays.equals(ends, that.ends);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(starts) * 31 + Arrays.hashCode(ends);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("RunSet[");
    for (int i = 0; i < Math.min(starts.length, 8); i++) {
      text.append(i == 0 ? "" : ", ").append(starts[i]).append("..").append(ends[i] - 1);
    }
    return text.append(starts.length > 8 ? ", … " : "")
        .append("; ")
        .append(count)
        .append(" elements]")
        .toString();
  }

  /** Collects runs in ascending order. */
  public static final class Builder {
    private long[] starts;
    private long[] ends;
    private int runs;
    private long count;

    /** No run yet. */
    public Builder() {
      this(16);
    }

    /**
     * No run yet, but room.
     *
     * @param capacity runs that are expected; there may be more
     */
    public Builder(int capacity) {
      starts = new long[Math.max(1, capacity)];
      ends = new long[starts.length];
    }

    /**
     * Adds a run that begins at or after the end of the last one; a run that touches it is joined.
     *
     * @throws IllegalArgumentException if the run begins before the end of the last one
     */
    public Builder add(long start, long end) {
      if (start < 0 || end < start || (runs > 0 && start < ends[runs - 1])) {
        throw new IllegalArgumentException(
            "runs must ascend: start=" + start + " end=" + end + " last=" + last());
      }
      return merge(start, end);
    }

    /**
     * As {@link #add}, but a run may overlap the last one as long as it does not begin before it.
     */
    Builder merge(long start, long end) {
      if (start == end) {
        return this;
      }
      if (runs > 0 && start <= ends[runs - 1]) {
        count += Math.max(0, end - ends[runs - 1]);
        ends[runs - 1] = Math.max(ends[runs - 1], end);
        return this;
      }
      if (runs == starts.length) {
        starts = Arrays.copyOf(starts, runs * 2);
        ends = Arrays.copyOf(ends, runs * 2);
      }
      starts[runs] = start;
      ends[runs] = end;
      runs++;
      count += end - start;
      return this;
    }

    private long last() {
      return runs == 0 ? 0 : ends[runs - 1];
    }

    /** The set collected so far. */
    public RunSet build() {
      return runs == 0
          ? EMPTY
          : new RunSet(Arrays.copyOf(starts, runs), Arrays.copyOf(ends, runs), count);
    }
  }
}
