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
 * Assigns a number of type {@code long} to every chunk of one dataset. The number of a chunk does
 * not change with the extent.
 *
 * <p>A row-major index would change when a dimension grows. Instead, every dimension has a bit
 * field, with the last dimension in the lowest bits. A dimension with a maximum extent needs as
 * many bits as its greatest chunk coordinate; an unlimited dimension needs as many bits as the
 * greatest possible coordinate. If more than 63 bits are needed in total, the dimensions that need
 * the fewest bits get all the bits they need, and the others share the rest as equally as possible.
 * A chunk with a coordinate that exceeds its field gets the next negative number, which is kept in
 * a map as long as this object exists. In a dataset with three unlimited dimensions, these are the
 * chunks with a coordinate of 2^21 or more. {@link Long#MIN_VALUE} is never assigned, since no
 * memory can hold a map of that size.
 *
 * <p>Thread-safe. The bit fields never change, and nonnegative numbers are computed without locks
 * or allocation. Negative numbers are assigned within {@code computeIfAbsent}, so each chunk gets
 * only one number, however many threads request it. The reverse mapping is stored before the number
 * is returned to any thread.
 */
public final class ChunkNumbers {
  /** Number of bits available in nonnegative numbers. */
  private static final int FIELD_BITS = 63;

  private final int[] bits;
  private final int[] shifts;
  private final int allBits;

  private final AtomicLong lowest = new AtomicLong();
  private final Map<ChunkCoordinates, Long> numbersOutside = new ConcurrentHashMap<>();
  private final Map<Long, ChunkCoordinates> pointsOutside = new ConcurrentHashMap<>();

  /**
   * Creates the numbering of a dataset.
   *
   * @param grid the chunk grid
   * @param shape shape of the dataset; only its maximum extents are used
   * @throws IllegalArgumentException if the ranks differ
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

  /** Returns the number of bits that the greatest chunk coordinate needs in each dimension. */
  private static int[] wanted(ChunkGrid grid, Shape shape) {
    int[] wanted = new int[grid.rank()];
    for (int d = 0; d < wanted.length; d++) {
      long most = shape.maximum(d) == Shape.UNLIMITED ? Long.MAX_VALUE : shape.maximum(d);
      long last = Math.max(0, Math.ceilDiv(most, grid.size(d)) - 1);
      wanted[d] = Long.SIZE - Long.numberOfLeadingZeros(last);
    }
    return wanted;
  }

  /**
   * Distributes the available bits among the dimensions in rounds. In each round, every dimension
   * that still needs a bit gets one, while bits are left.
   */
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
   * Returns the number of a chunk.
   *
   * @param scaled coordinates of the chunk in the grid
   * @throws IllegalArgumentException if the number of coordinates differs from the rank, or if a
   *     coordinate is negative
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
   * Returns the number of the chunk to which the given rows belong.
   *
   * @throws IllegalArgumentException if the rank of the rows differs from that of the grid
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
   * Returns the chunk with the given number.
   *
   * @throws IllegalArgumentException if no chunk has the number
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
