package io.skerry.chunk.dataspace;

import java.util.Arrays;

/**
 * A set of elements of one chunk (or of any box of fixed shape), as sorted, disjoint, maximal runs
 * of row-major indices. Immutable.
 */
public final class RunSet {
  private static final RunSet EMPTY = new RunSet(new long[0], new long[0], 0);
  private static final long[] NOT_COUNTED = {};

  private final long[] starts;
  private final long[] ends;
  private final long count;

  /** Number of elements before each run; computed on first use. */
  private volatile long[] before = NOT_COUNTED;

  private RunSet(long[] starts, long[] ends, long count) {
    this.starts = starts;
    this.ends = ends;
    this.count = count;
  }

  /** Returns the empty set. */
  public static RunSet empty() {
    return EMPTY;
  }

  /**
   * Returns the elements {@code start} to {@code end - 1}.
   *
   * @throws IllegalArgumentException if the start is negative or greater than the end
   */
  public static RunSet range(long start, long end) {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("not a range: start=" + start + " end=" + end);
    }
    return start == end ? EMPTY : new RunSet(new long[] {start}, new long[] {end}, end - start);
  }

  /** Returns the set of the given elements, which may be unordered and contain duplicates. */
  public static RunSet ofIndices(long... indices) {
    long[] sorted = indices;
    if (!ascends(indices)) {
      sorted = indices.clone();
      Arrays.sort(sorted);
    }
    return ofAscending(sorted, sorted.length);
  }

  /**
   * Returns the set of the first {@code n} elements of {@code sorted}, which must be in ascending
   * order and may contain duplicates.
   */
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

  /** Returns the number of runs. */
  public int runs() {
    return starts.length;
  }

  /**
   * Returns the set whose runs are the first {@code runs} entries of the arrays. The runs must be
   * in ascending order and must not touch. Takes ownership of the arrays.
   */
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

  /** Returns the number of elements. */
  public long count() {
    return count;
  }

  /** Returns whether the set is empty. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Returns the first element of run {@code i}. */
  public long start(int i) {
    return starts[i];
  }

  /** Returns one past the last element of run {@code i}. */
  public long end(int i) {
    return ends[i];
  }

  /** Returns the number of elements in run {@code i}. */
  public long length(int i) {
    return ends[i] - starts[i];
  }

  /** Returns one past the greatest element; 0 if the set is empty. */
  public long bound() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  /** Returns whether an element is in the set. */
  public boolean contains(long index) {
    int at = Arrays.binarySearch(starts, index);
    int run = at >= 0 ? at : -at - 2;
    return run >= 0 && index < ends[run];
  }

  /** Returns whether every element of another set is in this one. */
  public boolean containsAll(RunSet other) {
    return other.subtract(this).isEmpty();
  }

  /** Returns the elements in both sets. */
  public RunSet intersect(RunSet other) {
    return RunMerge.intersect(this, other);
  }

  /** Returns the elements that are in at least one of the two sets. */
  public RunSet union(RunSet other) {
    return RunMerge.union(this, other);
  }

  /** Returns the elements in this set that are not in the other one. */
  public RunSet subtract(RunSet other) {
    return RunMerge.subtract(this, other);
  }

  /**
   * Returns the number of elements in the runs before run {@code i}. This number is also the index
   * of the run's first value among packed values.
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
   * Returns the first run at or after {@code fromRun} that ends after an index; {@link #runs()} if
   * there is none. Takes time logarithmic in the number of runs between {@code fromRun} and the
   * result.
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

  /** Returns the first run that ends after an index; {@link #runs()} if there is none. */
  int firstEndingAfter(long index) {
    int at = Arrays.binarySearch(ends, index);
    return at >= 0 ? at + 1 : -at - 1;
  }

  /** Returns the least element at or after an index; {@link Long#MAX_VALUE} if there is none. */
  public long firstFrom(long index) {
    int run = firstEndingAfter(index);
    return run == starts.length ? Long.MAX_VALUE : Math.max(index, starts[run]);
  }

  /** Returns the exclusive end of the run that contains an element, which must be in the set. */
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

    /** Creates an empty builder. */
    public Builder() {
      this(16);
    }

    /**
     * Creates an empty builder.
     *
     * @param capacity expected number of runs; more may be added
     */
    public Builder(int capacity) {
      starts = new long[Math.max(1, capacity)];
      ends = new long[starts.length];
    }

    /**
     * Adds a run that starts at or after the end of the last one. A run that touches the last one
     * is joined to it.
     *
     * @throws IllegalArgumentException if the start is negative, if the run ends before it starts,
     *     or if it starts before the end of the last run
     * @throws ArithmeticException if there would be more than about 2^30 runs
     */
    public Builder add(long start, long end) {
      if (start < 0 || end < start || (runs > 0 && start < ends[runs - 1])) {
        throw new IllegalArgumentException(
            "runs must ascend: start=" + start + " end=" + end + " last=" + last());
      }
      return merge(start, end);
    }

    /**
     * Adds a run like {@link #add}, but without checks. The new run may overlap the last one, but
     * must not start before it.
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
        int larger = Math.multiplyExact(runs, 2);
        starts = Arrays.copyOf(starts, larger);
        ends = Arrays.copyOf(ends, larger);
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

    /** Returns the set of all runs added. */
    public RunSet build() {
      return runs == 0
          ? EMPTY
          : new RunSet(Arrays.copyOf(starts, runs), Arrays.copyOf(ends, runs), count);
    }
  }
}
