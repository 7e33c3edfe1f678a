package io.skerry.mpi.file;

import java.util.Arrays;

/**
 * The bytes of a file that one rank reads or writes in a collective call: disjoint, nonempty blocks
 * in ascending order. Data for a view is packed: the blocks are contiguous in memory.
 *
 * <p>The constructor drops zero-length blocks, since some MPI libraries mishandle them. Immutable.
 *
 * @param offsets the start of each block, in bytes from the start of the file
 * @param lengths the length of each block, in bytes
 */
public record FileView(long[] offsets, long[] lengths) {

  /** The view of a rank that transfers no bytes. */
  public static final FileView EMPTY = new FileView(new long[0], new long[0]);

  /**
   * Checks and copies the arrays, in O(blocks). Local, thread-safe.
   *
   * @throws IllegalArgumentException if the arrays differ in length, a length is negative, a block
   *     extends outside the range 0 to 2<sup>63</sup>-1, or the blocks overlap or are not in
   *     ascending order
   */
  public FileView {
    if (offsets.length != lengths.length) {
      throw new IllegalArgumentException(
          "a view needs as many lengths as offsets: offsets=%d lengths=%d"
              .formatted(offsets.length, lengths.length));
    }
    int kept = 0;
    var starts = new long[offsets.length];
    var sizes = new long[offsets.length];
    long end = 0;
    for (int i = 0; i < offsets.length; i++) {
      long offset = offsets[i];
      long length = lengths[i];
      if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
        throw new IllegalArgumentException(
            "a block must lie within 0 and 2^63-1: index=%d offset=%d length=%d"
                .formatted(i, offset, length));
      }
      if (length == 0) {
        continue;
      }
      if (offset < end) {
        throw new IllegalArgumentException(
            "blocks must ascend without overlap: index=%d offset=%d previousEnd=%d"
                .formatted(i, offset, end));
      }
      starts[kept] = offset;
      sizes[kept++] = length;
      end = offset + length;
    }
    offsets = Arrays.copyOf(starts, kept);
    lengths = Arrays.copyOf(sizes, kept);
  }

  /**
   * Returns a view of one block, or {@link #EMPTY} if {@code length} is 0. Local, thread-safe.
   *
   * @param offset the start of the block, in bytes from the start of the file
   * @param length the length of the block, in bytes
   * @throws IllegalArgumentException if the offset or the length is negative, or their sum exceeds
   *     2<sup>63</sup>-1
   */
  public static FileView of(long offset, long length) {
    return length == 0 && offset >= 0
        ? EMPTY
        : new FileView(new long[] {offset}, new long[] {length});
  }

  /**
   * Returns a view of the given blocks. Local, thread-safe.
   *
   * @param offsets the start of each block, in bytes from the start of the file
   * @param lengths the length of each block, in bytes; blocks of length 0 are dropped
   * @throws IllegalArgumentException if the arrays differ in length, a length is negative, a block
   *     extends outside the range 0 to 2<sup>63</sup>-1, or the blocks overlap or are not in
   *     ascending order
   */
  public static FileView of(long[] offsets, long[] lengths) {
    return new FileView(offsets, lengths);
  }

  /** Returns a builder that joins adjacent blocks. Local, thread-safe; does not fail. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns a copy of the offsets, in bytes from the start of the file; use {@link #offset} in
   * loops. Local, thread-safe; does not fail.
   */
  @Override
  public long[] offsets() {
    return offsets.clone();
  }

  /**
   * Returns a copy of the lengths, in bytes; use {@link #length} in loops. Local, thread-safe; does
   * not fail.
   */
  @Override
  public long[] lengths() {
    return lengths.clone();
  }

  /** Returns the number of blocks. Local, thread-safe; does not fail. */
  public int blocks() {
    return offsets.length;
  }

  /**
   * Returns the offset of block {@code i}, in bytes from the start of the file. Local, thread-safe.
   *
   * @param i the index of the block, from 0
   * @throws ArrayIndexOutOfBoundsException if there is no such block
   */
  public long offset(int i) {
    return offsets[i];
  }

  /**
   * Returns the length of block {@code i}, in bytes. Local, thread-safe.
   *
   * @param i the index of the block, from 0
   * @throws ArrayIndexOutOfBoundsException if there is no such block
   */
  public long length(int i) {
    return lengths[i];
  }

  /** Returns whether the view contains no bytes. Local, thread-safe; does not fail. */
  public boolean isEmpty() {
    return offsets.length == 0;
  }

  /**
   * Returns the total length of all blocks in bytes, in O(blocks). Local, thread-safe; does not
   * fail.
   */
  public long totalBytes() {
    long total = 0;
    for (long length : lengths) {
      total += length;
    }
    return total;
  }

  /**
   * Returns the offset after the last byte, in bytes from the start of the file; 0 if the view is
   * empty. Local, thread-safe; does not fail.
   */
  public long end() {
    return isEmpty() ? 0 : offsets[offsets.length - 1] + lengths[lengths.length - 1];
  }

  /**
   * Returns the part of this view that corresponds to the bytes {@code [from, to)} of its packed
   * data; splits blocks if needed, and joins adjacent blocks. Local, thread-safe.
   *
   * @param from the index of the first packed byte, at least 0
   * @param to the index after the last packed byte; a value greater than the total length is
   *     treated as the total length
   * @throws IllegalArgumentException if {@code from} is negative or exceeds {@code to}
   */
  public FileView slice(long from, long to) {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("not a range: from=%d to=%d".formatted(from, to));
    }
    var part = new Builder();
    long packed = 0;
    for (int i = 0; i < offsets.length && packed < to; i++) {
      long first = Math.max(from, packed);
      long last = Math.min(to, packed + lengths[i]);
      if (first < last) {
        part.add(offsets[i] + (first - packed), last - first);
      }
      packed += lengths[i];
    }
    return part.build();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileView(long[] o, long[] l)
        && Arrays.equals(offsets, o)
        && Arrays.equals(lengths, l);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(offsets) + Arrays.hashCode(lengths);
  }

  @Override
  public String toString() {
    return "FileView[blocks=%d bytes=%d end=%d]".formatted(blocks(), totalBytes(), end());
  }

  /**
   * Builds a view from blocks in ascending order. A block that begins at the end of the previous
   * block is joined to it. Not thread-safe.
   */
  public static final class Builder {
    private long[] offsets = new long[8];
    private long[] lengths = new long[8];
    private int blocks;
    private long end;

    private Builder() {}

    /**
     * Adds a block at or after the end of the previous block; has no effect if {@code length} is 0.
     * Local, not thread-safe.
     *
     * @param offset the start of the block, in bytes from the start of the file
     * @param length the length of the block, in bytes
     * @return this builder
     * @throws IllegalArgumentException if the length is negative, or the block extends outside the
     *     range 0 to 2<sup>63</sup>-1 or begins before the end of the previous block
     */
    public Builder add(long offset, long length) {
      if (length < 0 || offset < 0 || offset > Long.MAX_VALUE - length) {
        throw new IllegalArgumentException(
            "a block must lie within 0 and 2^63-1: offset=%d length=%d".formatted(offset, length));
      }
      if (length == 0) {
        return this;
      }
      if (offset < end) {
        throw new IllegalArgumentException(
            "blocks must ascend without overlap: offset=%d previousEnd=%d".formatted(offset, end));
      }
      if (blocks > 0 && offset == end) {
        lengths[blocks - 1] += length;
      } else {
        if (blocks == offsets.length) {
          offsets = Arrays.copyOf(offsets, 2 * blocks);
          lengths = Arrays.copyOf(lengths, 2 * blocks);
        }
        offsets[blocks] = offset;
        lengths[blocks++] = length;
      }
      end = offset + length;
      return this;
    }

    /**
     * Returns the view; more blocks may be added afterwards. Local, not thread-safe; does not fail.
     */
    public FileView build() {
      return blocks == 0
          ? EMPTY
          : new FileView(Arrays.copyOf(offsets, blocks), Arrays.copyOf(lengths, blocks));
    }
  }
}
