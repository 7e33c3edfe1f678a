package io.skerry.chunk;

import io.skerry.exception.FormatException;
import java.util.Arrays;

/**
 * The sections of a stored chunk image and the filters applied to each section. This is the part of
 * a record in the chunk index that a chunk format needs to decode the image.
 *
 * <p>A dense chunk has one section: no offsets and, in a filtered dataset, one mask. The arrays are
 * not copied and must not be changed. Only {@link #checked} checks the numbers.
 *
 * @param size size of the entire image in bytes
 * @param offsets starts of sections 1, 2, … within the image, in bytes; section 0 starts at 0
 * @param unfilteredSizes size in bytes of each section before filtering, checksum included; empty
 *     if the record does not hold these sizes
 * @param filterMasks filter mask of each section, with bit i set if filter i was skipped; empty if
 *     the record does not hold masks
 */
public record SectionTable(long size, long[] offsets, long[] unfilteredSizes, int[] filterMasks) {

  /**
   * Returns the table of a chunk with one section and no filters. Local, thread-safe; does not
   * fail.
   *
   * @param size size of the image in bytes
   */
  public static SectionTable plain(long size) {
    return new SectionTable(size, new long[0], new long[0], new int[0]);
  }

  /**
   * Returns the table of a filtered dense chunk. Local, thread-safe; does not fail.
   *
   * @param size size of the image in bytes
   * @param mask the filter mask, with bit i set if filter i was skipped
   */
  public static SectionTable filtered(long size, int mask) {
    return new SectionTable(size, new long[0], new long[0], new int[] {mask});
  }

  /** Returns the number of sections, at least 1. Local, thread-safe; does not fail. */
  public int sections() {
    return offsets.length + 1;
  }

  /**
   * Returns the offset of a section within the image, in bytes. Local, thread-safe.
   *
   * @param section the number of the section, from 0
   * @throws ArrayIndexOutOfBoundsException if there is no such section
   */
  public long start(int section) {
    return section == 0 ? 0 : offsets[section - 1];
  }

  /**
   * Returns the length of a section as stored, in bytes. Local, thread-safe.
   *
   * @param section the number of the section, from 0
   * @throws ArrayIndexOutOfBoundsException if there is no such section
   */
  public long length(int section) {
    return (section == offsets.length ? size : offsets[section]) - start(section);
  }

  /**
   * Returns the filter mask of a section; 0 if the record holds no masks. Local, thread-safe.
   *
   * @param section the number of the section, from 0
   * @throws ArrayIndexOutOfBoundsException if the record holds masks, but none for this section
   */
  public int filterMask(int section) {
    return filterMasks.length == 0 ? 0 : filterMasks[section];
  }

  /**
   * Checks that the sections are in order and within the image; does not check the unfiltered sizes
   * and the masks. Local, thread-safe.
   *
   * @return this table
   * @throws FormatException if an offset is out of order or outside the image, or if the size is
   *     negative
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
