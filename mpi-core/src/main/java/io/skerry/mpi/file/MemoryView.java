package io.skerry.mpi.file;

import java.util.Arrays;
import java.util.Objects;

/**
 * Places in memory that consecutive bytes of a file go to, one after the other: the mirror image of
 * a {@link FileView}. They may come in any order. Positions and lengths are bytes.
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
   * The places.
   *
   * @param offsets where each begins in the memory, counted from its first byte
   * @param lengths how long each is; at least 1
   * @throws IllegalArgumentException if the arrays differ in length, an offset is negative or a
   *     length is not positive
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

  /** Number of places. */
  public int count() {
    return offsets.length;
  }

  /** Where one begins. */
  public long offset(int place) {
    return offsets[place];
  }

  /** How long one is. */
  public long length(int place) {
    return lengths[place];
  }

  /** Bytes of all places together. */
  public long totalBytes() {
    return totalBytes;
  }

  /**
   * Makes sure that every place lies within memory of that size.
   *
   * @throws IndexOutOfBoundsException if one does not
   */
  public void requireWithin(long bytes) {
    for (int i = 0; i < offsets.length; i++) {
      Objects.checkFromIndexSize(offsets[i], lengths[i], bytes);
    }
  }
}
