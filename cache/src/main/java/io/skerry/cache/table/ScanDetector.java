package io.skerry.cache.table;

import io.skerry.chunk.dataspace.grid.ChunkSlice;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Recognises that requests to one dataset walk through it: each touches a block of chunks that is
 * the one before, moved by the same step. Any number of threads; where several walk at once, none
 * is recognised.
 */
public final class ScanDetector {
  private static final Trail NOTHING =
      new Trail(Optional.empty(), new long[] {}, Pace.UNKNOWN, Long.MIN_VALUE);

  private final AtomicReference<Trail> trail = new AtomicReference<>(NOTHING);
  private final AtomicBoolean waits = new AtomicBoolean();

  /** The corners of what a request touches, in chunks; both belong to it. */
  public record Block(long[] first, long[] last) {
    /** The block of some slices, if they fill one. */
    static Optional<Block> of(List<ChunkSlice> slices) {
      Block corners = new Block(slices.getFirst().scaled(), slices.getLast().scaled());
      long chunks = 1;
      for (int i = 0; i < corners.first.length; i++) {
        long size = corners.last[i] - corners.first[i] + 1;
        // Of points in a line across, the first in row-major order has not the least coordinates.
        chunks = Saturating.product(chunks, Math.max(0, size));
      }
      return chunks == slices.size() ? Optional.of(corners) : Optional.empty();
    }

    private Block moved(long[] step, int times) {
      long[] from = first.clone();
      long[] to = last.clone();
      for (int i = 0; i < from.length; i++) {
        from[i] += step[i] * times;
        to[i] += step[i] * times;
      }
      return new Block(from, to);
    }

    /** What of it lies inside an extent. */
    public Optional<Block> within(long[] extent) {
      Block inside = new Block(first.clone(), last.clone());
      for (int i = 0; i < extent.length; i++) {
        inside.first[i] = Math.max(0, first[i]);
        inside.last[i] = Math.min(extent[i] - 1, last[i]);
        if (inside.first[i] > inside.last[i]) {
          return Optional.empty();
        }
      }
      return Optional.of(inside);
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
  public record Walk(Block at, long[] step) {
    private boolean isSame(Walk other) {
      return at.isSame(other.at) && Arrays.equals(step, other.step);
    }

    /** The block so many steps further. */
    public Block ahead(int steps) {
      return at.moved(step, steps);
    }
  }

  /** Whether the last step was the same as the one before. */
  private enum Pace {
    UNKNOWN,
    STEADY
  }

  /**
   * What was seen.
   *
   * @param chunk number of the first chunk of the last block
   */
  private record Trail(Optional<Block> last, long[] step, Pace pace, long chunk) {}

  private Trail seen() {
    return Objects.requireNonNull(trail.get());
  }

  /** Returns whether the last requests were those of a walk. */
  public boolean isWalk() {
    return seen().pace() == Pace.STEADY;
  }

  /** The same, if this chunk is not where the walk is. */
  public boolean isWalkElsewhere(long number) {
    Trail now = seen();
    return now.pace() == Pace.STEADY && now.chunk() != number;
  }

  /** The walk, if the last requests were those of one. */
  public Optional<Walk> walk() {
    Trail now = seen();
    return now.pace() == Pace.STEADY
        ? now.last().map(at -> new Walk(at, now.step()))
        : Optional.empty();
  }

  /** Returns whether a walk is still where it was seen. */
  public boolean isAt(Walk walk) {
    return walk().filter(walk::isSame).isPresent();
  }

  /**
   * Takes note of a request.
   *
   * @param slices its chunks in row-major order, at least one
   * @param first number of the first one
   * @return whether a walk has just come to new chunks
   */
  public boolean moved(List<ChunkSlice> slices, long first) {
    Trail before = seen();
    Optional<Block> now = Block.of(slices);
    if (now.isEmpty()) {
      trail.compareAndSet(before, NOTHING);
      return false;
    }
    Block block = now.get();
    if (before.last().filter(block::isSame).isPresent()) {
      return false;
    }
    long[] step = before.last().flatMap(block::stepFrom).orElse(new long[] {});
    boolean steady = step.length > 0 && Arrays.equals(step, before.step());
    Pace pace = steady ? Pace.STEADY : Pace.UNKNOWN;
    return trail.compareAndSet(before, new Trail(now, step, pace, first)) && steady;
  }

  /**
   * Returns whether nobody else waits to look ahead. Who then waits says so by {@link #goesAhead}.
   */
  public boolean tryToGoAhead() {
    return waits.compareAndSet(false, true);
  }

  /** Who waited to look ahead begins. */
  public void goesAhead() {
    waits.set(false);
  }
}
