package io.skerry.chunk;

import io.skerry.exception.FormatException;
import java.util.Arrays;

/**
 * How a stored chunk image divides into sections, and what the filters did to each: the part of a
 * chunk's index record that its format reads.
 *
 * <p>A dense chunk has one section: no offsets and, where the dataset is filtered, one mask.
 *
 * @param size bytes of the whole image
 * @param offsets start of section 1, 2, … inside the image; section 0 starts at 0
 * @param unfilteredSizes bytes of each section before filtering, checksum included; empty where the
 *     record does not hold them
 * @param filterMasks per section, bit i set if filter i was skipped; empty if unfiltered
 */
public record SectionTable(long size, long[] offsets, long[] unfilteredSizes, int[] filterMasks) {

  /** A chunk of one section without filters. */
  public static SectionTable plain(long size) {
    return new SectionTable(size, new long[0], new long[0], new int[0]);
  }

  /** A dense filtered chunk. */
  public static SectionTable filtered(long size, int mask) {
    return new SectionTable(size, new long[0], new long[0], new int[] {mask});
  }

  /** Number of sections. */
  public int sections() {
    return offsets.length + 1;
  }

  /** First byte of a section within the image. */
  public long start(int section) {
    return section == 0 ? 0 : offsets[section - 1];
  }

  /** Bytes of a section as stored. */
  public long length(int section) {
    return (section == offsets.length ? size : offsets[section]) - start(section);
  }

  /** Filter mask of a section; 0 where the record holds none. */
  public int filterMask(int section) {
    return filterMasks.length == 0 ? 0 : filterMasks[section];
  }

  /**
   * Refuses a table whose sections do not lie in order inside the image.
   *
   * @throws FormatException if an offset is out of order or outside
   */
  public SectionTable checked() {
    long last = 0;
    for (long offset : offsets) {
      if (offset < last || offset > size) {
        throw new FormatException(
            "section offset out of order or beyond the chunk", last + ".." + size, offset);
      }
      last = offset;
    }
    if (size < 0) {
      throw new FormatException("negative chunk size", ">= 0", size);
    }
    return this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SectionTable(long s, long[] o, long[] u, int[] m)
        && s == size
        && Arrays.equals(o, offsets)
        && Arrays.equals(u, unfilteredSizes)
        && Arrays.equals(m, filterMasks);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(size) * 31 + Arrays.hashCode(offsets);
  }

  @Override
  public String toString() {
    return "size="
        + size
        + " offsets="
        + Arrays.toString(offsets)
        + " unfiltered="
        + Arrays.toString(unfilteredSizes)
        + " masks="
        + Arrays.toString(filterMasks);
  }
}
