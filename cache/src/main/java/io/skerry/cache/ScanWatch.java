package io.skerry.cache;

import io.skerry.chunk.space.ChunkSlice;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Recognises that requests to one dataset walk through it: each touches the same block of chunks,
 * moved by the same step as the time before. Safe for any number of threads; where several walk at
 * once, none is recognised.
 */
final class ScanWatch {
  private Optional<Block> last = Optional.empty();
  private long[] step = {};

  /** The corners of what a request touches, in chunks. */
  record Block(long[] first, long[] last) {
    /** The block that lies so many steps further. */
    Block moved(long[] step, int times) {
      long[] from = first.clone();
      long[] to = last.clone();
      for (int i = 0; i < from.length; i++) {
        from[i] += step[i] * times;
        to[i] += step[i] * times;
      }
      return new Block(from, to);
    }

    boolean isSame(Block other) {
      return Arrays.equals(first, other.first) && Arrays.equals(last, other.last);
    }

    /** How this one lies to an earlier one of the same size; empty if the sizes differ. */
    Optional<long[]> stepFrom(Block before) {
      long[] difference = new long[first.length];
      for (int i = 0; i < first.length; i++) {
        difference[i] = first[i] - before.first[i];
        if (last[i] - before.last[i] != difference[i]) {
          return Optional.empty();
        }
      }
      return Optional.of(difference);
    }
  }

  /** A walk that goes on. */
  record Walk(Block at, long[] step) {}

  /**
   * Takes note of a request.
   *
   * @param slices its chunks in row-major order, at least one
   * @return the walk, if it has just come to new chunks
   */
  synchronized Optional<Walk> moved(List<ChunkSlice> slices) {
    long[] low = slices.getFirst().scaled();
    long[] high = slices.getLast().scaled();
    // The corners of a box; of another selection they are as good as any.
    Block now = new Block(low, high);
    if (last.isPresent() && last.get().isSame(now)) {
      return Optional.empty();
    }
    Optional<long[]> difference = last.flatMap(now::stepFrom);
    boolean goesOn = difference.isPresent() && Arrays.equals(difference.get(), step);
    step = difference.orElse(new long[] {});
    last = Optional.of(now);
    return goesOn ? Optional.of(new Walk(now, step)) : Optional.empty();
  }
}
