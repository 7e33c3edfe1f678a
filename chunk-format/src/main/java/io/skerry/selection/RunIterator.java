package io.skerry.selection;

import java.util.Optional;

/**
 * Hands out a selection as runs of row-major element indices in its order, as many at a time as the
 * caller has room for: what {@code H5Ssel_iter_get_seq_list} does, in elements instead of bytes.
 * Neighbouring runs are joined, those of a list of points only where they follow each other in the
 * list. Nothing is allocated per run. Not for several threads at once.
 */
public final class RunIterator {
  private final Optional<RunSource> source;
  private final long elements;
  private long given;

  /** What has been taken from the source and not been given out yet; nothing at length 0. */
  private long offset;

  private long length;

  /** Whether the source stands at a run that has not been taken from it. */
  private boolean ahead;

  private RunIterator(Optional<RunSource> source, long elements) {
    this.source = source;
    this.elements = elements;
    restart();
  }

  static RunIterator of(Selection selection, Shape extent) {
    selection.checkWithin(extent);
    Selection resolved = selection.resolve(extent);
    Optional<RunSource> source =
        switch (resolved) {
          // "all" is left of a scalar only: one element at 0
          case NoneSelection _, AllSelection _ -> Optional.empty();
          case Hyperslab slab -> Optional.of(new HyperslabRuns(slab, extent));
          case Region region -> Optional.of(new RegionRuns(region.tree(), extent));
          case PointList points -> Optional.of(new PointRuns(points, extent));
        };
    return new RunIterator(source, resolved.count(extent));
  }

  /**
   * Gives the next runs. Local; not thread-safe.
   *
   * @param offsets receives the row-major index of each run's first element in the extent
   * @param lengths receives the elements of each; its length limits the number of runs, too
   * @return number of runs given, 0 at the end
   * @throws IllegalArgumentException if an array is empty
   */
  public int next(long[] offsets, long[] lengths) {
    return next(offsets, lengths, Long.MAX_VALUE);
  }

  /**
   * Gives the next runs up to a number of elements; the last one is cut off there and goes on next
   * time. Local; not thread-safe.
   *
   * @param maxElements elements of all runs together, at least 1
   * @return number of runs given, 0 at the end
   * @throws IllegalArgumentException if an array is empty, or {@code maxElements} is less than 1
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
    long room = Math.min(maxElements, elements - given);
    int runs = 0;
    while (runs < most && room > 0) {
      long taken = Math.min(length, room);
      offsets[runs] = offset;
      lengths[runs++] = taken;
      offset += taken;
      length -= taken;
      room -= taken;
      given += taken;
      if (length == 0 && source.isPresent()) {
        fetch(source.get());
      }
    }
    return runs;
  }

  /** Number of elements that have not been given yet. Local; does not fail. */
  public long remaining() {
    return elements - given;
  }

  /** Begins again with the first run. Local; does not fail. */
  public void restart() {
    given = 0;
    offset = 0;
    length = 0;
    if (source.isPresent()) {
      source.get().restart();
      ahead = source.get().advance();
      fetch(source.get());
    } else {
      length = elements;
    }
  }

  /** Takes the next run and those that go on from it. */
  private void fetch(RunSource runs) {
    offset = ahead ? runs.offset() : 0;
    while (ahead && (length == 0 || runs.offset() == offset + length)) {
      length += runs.length();
      ahead = runs.advance();
    }
  }
}
