package io.skerry.cache;

import io.skerry.chunk.space.ChunkSlice;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Recognises that requests to one dataset walk through it: each touches a block of chunks that is
 * the one before, moved by the same step. Any number of threads; where several walk at once, none
 * is recognised.
 */
final class ScanWatch {
  private final AtomicReference<Trail> trail =
      new AtomicReference<>(new Trail(Optional.empty(), new long[] {}, false));

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

    private boolean isSame(Block other) {
      return Arrays.equals(first, other.first) && Arrays.equals(last, other.last);
    }

    /** How this one lies to an earlier one of the same size; empty if the sizes differ. */
    private Optional<long[]> stepFrom(Block before) {
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
   * What was seen.
   *
   * @param walks whether the last step was that before
   */
  private record Trail(Optional<Block> last, long[] step, boolean walks) {}

  private Trail seen() {
    return Objects.requireNonNull(trail.get());
  }

  /** Whether the last requests were those of a walk. */
  boolean isWalk() {
    return seen().walks();
  }

  /**
   * Takes note of a request.
   *
   * @param slices its chunks in row-major order, at least one
   * @return the walk, if it has just come to new chunks
   */
  Optional<Walk> moved(List<ChunkSlice> slices) {
    // The corners of a box; of another selection they are as good as any.
    Block now = new Block(slices.getFirst().scaled(), slices.getLast().scaled());
    Trail before = seen();
    if (before.last().filter(now::isSame).isPresent()) {
      return Optional.empty();
    }
    long[] step = before.last().flatMap(now::stepFrom).orElse(new long[] {});
    boolean walks = step.length > 0 && Arrays.equals(step, before.step());
    boolean noted = trail.compareAndSet(before, new Trail(Optional.of(now), step, walks));
    return noted && walks ? Optional.of(new Walk(now, step)) : Optional.empty();
  }
}
