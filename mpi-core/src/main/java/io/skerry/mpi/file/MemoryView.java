package io.skerry.mpi.file;

import java.util.Arrays;
import java.util.Objects;

/**
 * Blocks of memory that are filled with consecutive bytes of a file: the counterpart of a {@link
 * FileView}. The blocks may be in any order. Offsets and lengths are in bytes. Immutable.
 */
public final class MemoryView {
  private final long[] offsets;
  private final long[] lengths;
  private final long totalBytes;

  private MemoryView(long[] offsets, long[] lengths) {
    this.offsets = offsets;
    this.lengths = lengths;
    this.totalBytes = Arrays.stream(lengths).reduce(0, Math::addExact);
  }

  /**
   * Returns a view of the given blocks. Local, thread-safe.
   *
   * @param offsets the offset of each block in the memory, in bytes, at least 0
   * @param lengths the length of each block, in bytes, at least 1
   * @throws IllegalArgumentException if the arrays differ in length, an offset is negative, or a
   *     length is not positive
   * @throws ArithmeticException if the total length exceeds 2<sup>63</sup>-1
   */
  public static MemoryView of(long[] offsets, long[] lengths) {
    if (offsets.length != lengths.length) {
      throw new IllegalArgumentException(
          "each place needs one offset and one length: offsets=%d lengths=%d"
              .formatted(offsets.length, lengths.length));
    }
    for (int i = 0; i < offsets.length; i++) {
      if (offsets[i] < 0 || lengths[i] < 1) {
        throw new IllegalArgumentException(
            "not a place: index=%d offset=%d length=%d".formatted(i, offsets[i], lengths[i]));
      }
    }
    return new MemoryView(offsets.clone(), lengths.clone());
  }

  /** Returns the number of blocks. Local, thread-safe; does not fail. */
  public int count() {
    return offsets.length;
  }

  /**
   * Returns the offset, in bytes, at which the block with index {@code place} starts in the memory.
   * Local, thread-safe.
   *
   * @param place the index of the block, from 0
   * @throws ArrayIndexOutOfBoundsException if there is no such block
   */
  public long offset(int place) {
    return offsets[place];
  }

  /**
   * Returns the length of the block with index {@code place}, in bytes. Local, thread-safe.
   *
   * @param place the index of the block, from 0
   * @throws ArrayIndexOutOfBoundsException if there is no such block
   */
  public long length(int place) {
    return lengths[place];
  }

  /** Returns the total length of all blocks, in bytes. Local, thread-safe; does not fail. */
  public long totalBytes() {
    return totalBytes;
  }

  /**
   * Checks that every block is inside a memory area of the given size. Local, thread-safe.
   *
   * @param bytes the size of the memory in bytes
   * @throws IndexOutOfBoundsException if a block is outside the memory, or if the view has a block
   *     and the size is negative
   */
  public void requireWithin(long bytes) {
    for (int i = 0; i < offsets.length; i++) {
      Objects.checkFromIndexSize(offsets[i], lengths[i], bytes);
    }
  }
}
