package io.skerry.mpi.internal.base;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The location of each rank's block in a buffer: counts and displacements in bytes.
 *
 * @param counts the number of bytes per rank
 * @param displacements the offset of each rank's block in the buffer
 */
public record BlockLayout(long[] counts, long[] displacements) {

  /** The empty layout, for ranks on which a layout is not significant. */
  static final BlockLayout NONE = new BlockLayout(new long[0], new long[0]);

  /**
   * Returns a layout with copies of the arrays, after checking that every nonempty block is inside
   * the buffer.
   *
   * @param operation the name of the call, for error messages
   * @param size the number of ranks
   * @param buffer the buffer that contains the blocks
   * @param counts the number of bytes per rank
   * @param displacements the offset of each rank's block in the buffer
   * @throws IllegalArgumentException if the arrays do not have one element per rank, if a count or
   *     displacement is negative, or if a nonempty block is not inside the buffer
   */
  static BlockLayout checked(
      String operation, int size, MemorySegment buffer, long[] counts, long[] displacements) {
    if (counts.length != size || displacements.length != size) {
      throw new IllegalArgumentException(
          "%s needs one count and one displacement per rank: size=%d counts=%d displacements=%d"
              .formatted(operation, size, counts.length, displacements.length));
    }
    for (int i = 0; i < size; i++) {
      long count = counts[i];
      long displacement = displacements[i];
      if (count < 0
          || displacement < 0
          || (count > 0 && displacement > buffer.byteSize() - count)) {
        throw new IllegalArgumentException(
            "%s: a block lies outside the buffer: rank=%d displacement=%d count=%d buffer=%d"
                .formatted(operation, i, displacement, count, buffer.byteSize()));
      }
    }
    return new BlockLayout(counts.clone(), displacements.clone());
  }

  /** Returns a layout of adjacent blocks of {@code bytes} bytes, one per rank. */
  public static BlockLayout equal(int size, long bytes) {
    var counts = new long[size];
    Arrays.fill(counts, bytes);
    var displacements = new long[size];
    Arrays.setAll(displacements, i -> i * bytes);
    return new BlockLayout(counts, displacements);
  }

  /** Returns a layout of adjacent blocks with the given counts. */
  public static BlockLayout packed(long[] counts) {
    var displacements = new long[counts.length];
    for (int i = 1; i < counts.length; i++) {
      displacements[i] = displacements[i - 1] + counts[i - 1];
    }
    return new BlockLayout(counts, displacements);
  }

  /** Returns the size of a rank's block in bytes. */
  public long count(int rank) {
    return counts[rank];
  }

  /** Returns the total size of the blocks of all ranks in bytes. */
  public long total() {
    return Arrays.stream(counts).sum();
  }

  /** Returns the block of a rank; {@link MemorySegment#NULL} if it is empty. */
  public MemorySegment block(MemorySegment buffer, int rank) {
    return counts[rank] == 0
        ? MemorySegment.NULL
        : buffer.asSlice(displacements[rank], counts[rank]);
  }
}
