package io.skerry.cache.table;

import io.skerry.chunk.dataspace.grid.ChunkSlice;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Detects scans: sequences of requests to one dataset in which each block of chunks is displaced
 * from the previous block by the same step. Thread-safe; concurrent scans by several threads are
 * not detected.
 */
public final class ScanDetector {
  private static final Trail NOTHING =
      new Trail(Optional.empty(), new long[] {}, Pace.UNKNOWN, Long.MIN_VALUE);

  private final AtomicReference<Trail> trail = new AtomicReference<>(NOTHING);
  private final AtomicBoolean waits = new AtomicBoolean();

  /**
   * A block of chunks, given by its first and its last chunk in grid coordinates; both belong to
   * the block.
   */
  public record Block(long[] first, long[] last) {
    /**
     * Returns the block from the first to the last chunk of the given slices, if it has as many
     * chunks as there are slices; otherwise empty. In rare cases, scattered slices pass this test.
     */
    static Optional<Block> of(List<ChunkSlice> slices) {
      Block corners = new Block(slices.getFirst().scaled(), slices.getLast().scaled());
      long chunks = 1;
      for (int i = 0; i < corners.first.length; i++) {
        long size = corners.last[i] - corners.first[i] + 1;
        // For points along an antidiagonal, the first chunk in row-major order has a greater
        // coordinate than the last.
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

    /** Returns the part of the block within the given extent; empty if there is none. */
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

    /** Returns the distance from an earlier block of the same size; empty if the sizes differ. */
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

  /**
   * A scan in progress.
   *
   * @param at the last block
   * @param step distance between successive blocks, in chunks
   */
  public record Scan(Block at, long[] step) {
    private boolean isSame(Scan other) {
      return at.isSame(other.at) && Arrays.equals(step, other.step);
    }

    /** Returns the block that is the given number of steps after the last block. */
    public Block blockAfter(int steps) {
      return at.moved(step, steps);
    }
  }

  /** Regularity of the steps. */
  private enum Pace {
    UNKNOWN,
    STEADY
  }

  /**
   * The recent requests.
   *
   * @param last the last block; empty if the last request was not a block
   * @param step distance from the previous block to the last block, in chunks; empty if unknown
   * @param pace {@code STEADY} if the last two steps were equal
   * @param chunk chunk number of the first chunk of the last block
   */
  private record Trail(Optional<Block> last, long[] step, Pace pace, long chunk) {}

  private Trail seen() {
    return Objects.requireNonNull(trail.get());
  }

  /** Returns whether the last requests form a scan. */
  public boolean isScan() {
    return seen().pace() == Pace.STEADY;
  }

  /**
   * Returns whether the last requests form a scan whose last block does not start at the chunk with
   * the given number.
   */
  public boolean isScanElsewhere(long number) {
    Trail now = seen();
    return now.pace() == Pace.STEADY && now.chunk() != number;
  }

  /** Returns the scan that the last requests form; empty if they form none. */
  public Optional<Scan> current() {
    Trail now = seen();
    return now.pace() == Pace.STEADY
        ? now.last().map(at -> new Scan(at, now.step()))
        : Optional.empty();
  }

  /** Returns whether the scan has not moved since {@link #current} returned it. */
  public boolean isAt(Scan scan) {
    return current().filter(scan::isSame).isPresent();
  }

  /**
   * Records a request.
   *
   * @param slices the slices of the request in row-major order of chunks, at least one
   * @param first chunk number of the first chunk
   * @return true if a scan has just reached new chunks
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
   * Registers a prefetch, unless one is registered already and has not started.
   *
   * @return true if it was registered; the caller must then call {@link #prefetchStarts}
   */
  public boolean tryStartPrefetch() {
    return waits.compareAndSet(false, true);
  }

  /** Marks the registered prefetch as started. */
  public void prefetchStarts() {
    waits.set(false);
  }
}
