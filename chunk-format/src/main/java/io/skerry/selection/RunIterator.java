package io.skerry.selection;

import java.util.Optional;

/**
 * Iterates over a selection as runs of row-major element indices, in the order of the selection.
 * Each call to {@link #next} returns at most as many runs as the caller's arrays can hold, like
 * {@code H5Ssel_iter_get_seq_list}, but in elements instead of bytes. Adjacent runs are joined.
 * Adjacent points of a list are joined only if they follow one another in the list in ascending
 * order. No memory is allocated for individual runs. Not thread-safe.
 */
public final class RunIterator {
  private final Optional<RunSource> source;
  private final long elements;
  private long returned;

  /**
   * The row-major index of the next element to return, within the run that was last taken from the
   * source. All elements of that run have been returned if {@code length} is 0.
   */
  private long offset;

  private long length;

  /** True if the source is at a run that {@link #fetch} has not taken yet. */
  private boolean pending;

  private RunIterator(Optional<RunSource> source, long elements) {
    this.source = source;
    this.elements = elements;
    restart();
  }

  /**
   * Returns an iterator at the first run of a selection. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the selection exceeds the extent or has a different rank
   * @throws ArithmeticException if the extent has more than 2^63 - 1 elements
   */
  static RunIterator of(Selection selection, Shape extent) {
    selection.checkWithin(extent);
    Selection resolved = selection.resolve(extent);
    Optional<RunSource> source =
        switch (resolved) {
          // "all" remains unresolved only for a scalar, which has a single element, at index 0.
          case NoneSelection _, AllSelection _ -> Optional.empty();
          case Hyperslab slab -> Optional.of(new HyperslabRuns(slab, extent));
          case Region region -> Optional.of(new RegionRuns(region.tree(), extent));
          case PointList points -> Optional.of(new PointRuns(points, extent));
        };
    return new RunIterator(source, resolved.count(extent));
  }

  /**
   * Stores the next runs in two arrays. Local, not thread-safe.
   *
   * @param offsets the array for the row-major index, in the extent, of the first element of each
   *     run
   * @param lengths the array for the number of elements of each run; its length also limits the
   *     number of runs
   * @return the number of runs, 0 at the end
   * @throws IllegalArgumentException if an array is empty
   */
  public int next(long[] offsets, long[] lengths) {
    return next(offsets, lengths, Long.MAX_VALUE);
  }

  /**
   * Stores the next runs in two arrays, with a limit on their total number of elements. A run that
   * would exceed the limit is split, and the next call returns the rest. Local, not thread-safe.
   *
   * @param offsets the array for the row-major index, in the extent, of the first element of each
   *     run
   * @param lengths the array for the number of elements of each run; its length also limits the
   *     number of runs
   * @param maxElements the maximum number of elements of all runs together, at least 1
   * @return the number of runs, 0 at the end
   * @throws IllegalArgumentException if an array is empty, or the maximum is below 1
   */
  public int next(long[] offsets, long[] lengths, long maxElements) {
    int most = Math.min(offsets.length, lengths.length);
    if (most == 0 || maxElements < 1) {
      throw new IllegalArgumentException(
          "no room for a run: offsets="
              + offsets.length
              + " lengths="
              + lengths.length
              + " maxElements="
              + maxElements);
    }
    long room = Math.min(maxElements, elements - returned);
    int runs = 0;
    while (runs < most && room > 0) {
      long taken = Math.min(length, room);
      offsets[runs] = offset;
      lengths[runs++] = taken;
      offset += taken;
      length -= taken;
      room -= taken;
      returned += taken;
      if (length == 0 && source.isPresent()) {
        fetch(source.get());
      }
    }
    return runs;
  }

  /**
   * Returns the number of elements that have not been returned yet. Local, not thread-safe; does
   * not fail.
   */
  public long remaining() {
    return elements - returned;
  }

  /** Restarts at the first run. Local, not thread-safe; does not fail. */
  public void restart() {
    returned = 0;
    offset = 0;
    length = 0;
    if (source.isPresent()) {
      source.get().restart();
      pending = source.get().advance();
      fetch(source.get());
    } else {
      length = elements;
    }
  }

  /** Takes the next run, and the adjacent runs that follow it, from the source. */
  private void fetch(RunSource runs) {
    offset = pending ? runs.offset() : 0;
    while (pending && (length == 0 || runs.offset() == offset + length)) {
      length += runs.length();
      pending = runs.advance();
    }
  }
}
