package io.skerry.cache.table;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A {@code long} for every chunk of one dataset, which stays the same whatever becomes of the
 * extent.
 *
 * <p>A row-major index changes when a dimension grows, so every dimension has a field of bits
 * instead, the last one at the low end. A dimension that has a maximum wants as many bits as its
 * greatest coordinate there has; one without, all that a coordinate can have. If these are more
 * than 63 in all, those that want the fewest get what they want, and the others equal parts of the
 * rest. A chunk with a coordinate too great for its field gets the next negative number, which is
 * remembered in a map as long as this object lives: some 200 bytes per such chunk. A dataset of
 * rank 3 without any maximum has such chunks from coordinate 2^21 on. {@link Long#MIN_VALUE} is no
 * chunk's number: no memory holds a map that goes so far.
 *
 * <p>Safe for any number of threads. The fields never change, and numbers in them are calculated
 * without a lock and without an object. A negative number is given within {@code computeIfAbsent},
 * so a point gets one however many threads ask, and the way back from the number is entered before
 * anybody can know the number.
 */
public final class ChunkNumbers {
  /** Bits of the numbers that are not negative. */
  private static final int FIELD_BITS = 63;

  private final int[] bits;
  private final int[] shifts;
  private final int allBits;

  private final AtomicLong lowest = new AtomicLong();
  private final Map<ChunkCoordinates, Long> numbersOutside = new ConcurrentHashMap<>();
  private final Map<Long, ChunkCoordinates> pointsOutside = new ConcurrentHashMap<>();

  /**
   * Numbers for the chunks of a dataset.
   *
   * @param shape the dataset's; only its maximums count
   * @throws IllegalArgumentException if the two differ in rank
   */
  public ChunkNumbers(ChunkGrid grid, Shape shape) {
    if (grid.rank() != shape.rank()) {
      throw new IllegalArgumentException("rank: chunk=" + grid.rank() + " shape=" + shape.rank());
    }
    bits = dealt(wanted(grid, shape));
    shifts = new int[bits.length];
    for (int d = bits.length - 2; d >= 0; d--) {
      shifts[d] = shifts[d + 1] + bits[d + 1];
    }
    allBits = shifts[0] + bits[0];
  }

  /** Per dimension, the bits of the greatest coordinate that a chunk can have. */
  private static int[] wanted(ChunkGrid grid, Shape shape) {
    int[] wanted = new int[grid.rank()];
    for (int d = 0; d < wanted.length; d++) {
      long most = shape.maximum(d) == Shape.UNLIMITED ? Long.MAX_VALUE : shape.maximum(d);
      long last = Math.max(0, Math.ceilDiv(most, grid.size(d)) - 1);
      wanted[d] = Long.SIZE - Long.numberOfLeadingZeros(last);
    }
    return wanted;
  }

  /** Deals the bits in rounds, one for each dimension that still wants one. */
  private static int[] dealt(int[] wanted) {
    int[] bits = new int[wanted.length];
    int left = FIELD_BITS;
    for (int round = 1; round <= FIELD_BITS; round++) {
      for (int d = 0; d < bits.length && left > 0; d++) {
        if (wanted[d] >= round) {
          bits[d]++;
          left--;
        }
      }
    }
    return bits;
  }

  /**
   * The number of a chunk.
   *
   * @param scaled the chunk's place in the grid: one coordinate per dimension, in chunks
   * @throws IllegalArgumentException if there are more or fewer coordinates than dimensions, or one
   *     is negative
   */
  public long number(long[] scaled) {
    if (scaled.length != bits.length) {
      throw new IllegalArgumentException("rank: chunk=" + scaled.length + " grid=" + bits.length);
    }
    long number = 0;
    for (int d = 0; d < bits.length; d++) {
      if (scaled[d] >>> bits[d] != 0) {
        return numberOutside(scaled);
      }
      number |= scaled[d] << shifts[d];
    }
    return number;
  }

  /**
   * The number of the chunk that rows lie in.
   *
   * @throws IllegalArgumentException if they have another rank
   */
  public long number(ChunkRows rows) {
    if (rows.rank() != bits.length) {
      throw new IllegalArgumentException("rank: rows=" + rows.rank() + " grid=" + bits.length);
    }
    long number = 0;
    for (int d = 0; d < bits.length; d++) {
      long scaled = rows.scaledAt(d);
      if (scaled >>> bits[d] != 0) {
        return number(rows.scaled());
      }
      number |= scaled << shifts[d];
    }
    return number;
  }

  private long numberOutside(long[] scaled) {
    if (Arrays.stream(scaled).anyMatch(coordinate -> coordinate < 0)) {
      throw new IllegalArgumentException("not in the grid: chunk=" + Arrays.toString(scaled));
    }
    return numbersOutside.computeIfAbsent(ChunkCoordinates.of(scaled), this::nextOutside);
  }

  private long nextOutside(ChunkCoordinates point) {
    long number = lowest.decrementAndGet();
    pointsOutside.put(number, point);
    return number;
  }

  /**
   * The chunk with this number.
   *
   * @throws IllegalArgumentException if no chunk has it
   */
  public ChunkCoordinates point(long number) {
    if (number >>> allBits != 0) {
      ChunkCoordinates outside = pointsOutside.get(number);
      if (outside == null) {
        throw new IllegalArgumentException("no chunk has this number: number=" + number);
      }
      return outside;
    }
    long[] scaled = new long[bits.length];
    for (int d = 0; d < scaled.length; d++) {
      scaled[d] = number >>> shifts[d] & (1L << bits[d]) - 1;
    }
    return ChunkCoordinates.of(scaled);
  }
}
