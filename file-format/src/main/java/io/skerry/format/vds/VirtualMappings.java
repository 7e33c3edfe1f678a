package io.skerry.format.vds;

import io.skerry.format.block.Checksums;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;

/**
 * The mappings of a virtual dataset, stored as one object of the global heap.
 *
 * <pre>
 * version 0: 00 | entries L | per entry: file name NUL | dataset name NUL
 *            | source selection | virtual selection | checksum u32
 * version 1: 01 | entries L | per entry: flags u8 | file name NUL, or entry L, or nothing
 *            | dataset name NUL, or entry L | source selection | virtual selection | checksum u32
 *   flags: bit 0 file name of an earlier entry, bit 1 dataset name of an earlier entry,
 *          bit 2 the source is in the same file
 * </pre>
 *
 * <p>Mappings read from a file remain encoded: a mapping is decoded on each access, and each
 * distinct name is held once. Immutable.
 *
 * <p>Sources: HDF5 File Format Specification 3.0, section III.F, "Global Heap Block for Virtual
 * Datasets"; for version 1, files written by HDF5 2.0.0.
 */
public final class VirtualMappings {
  private final List<VirtualMapping> entries;
  private final MappingSummary summary;

  /** Creates mappings in the given order. */
  public VirtualMappings(List<VirtualMapping> entries) {
    this.entries = List.copyOf(entries);
    this.summary = new MappingSummary();
    VirtualBounds bounds = bounds();
    for (int i = 0; i < this.entries.size(); i++) {
      summary.add(i, bounds.at(i));
    }
  }

  /**
   * Creates mappings in their stored form.
   *
   * @param summary the summary of the entries
   */
  VirtualMappings(StoredMappings entries, MappingSummary summary) {
    this.entries = entries;
    this.summary = summary;
  }

  /** Returns an empty list of mappings; without mappings, every element has the fill value. */
  public static VirtualMappings none() {
    return new VirtualMappings(List.of());
  }

  /**
   * Decodes the heap object.
   *
   * @throws io.skerry.exception.FormatException if it is damaged
   */
  public static VirtualMappings decode(MemorySegment object, Widths widths) {
    return new MappingDecoder(verified(object), widths).decode();
  }

  /**
   * Verifies the checksum of the heap object, and returns the bytes before it.
   *
   * @throws io.skerry.exception.FormatException if the object is too short or damaged
   */
  public static MemorySegment verified(MemorySegment object) {
    return Checksums.verified(object, MappingDecoder.STRUCTURE);
  }

  /**
   * Decodes the heap object without verifying its checksum, which another thread may do at the same
   * time.
   *
   * @param object the object, with at least the four bytes of the checksum
   * @throws io.skerry.exception.FormatException if it is damaged
   */
  public static VirtualMappings decodeUnverified(MemorySegment object, Widths widths) {
    MemorySegment body = object.asSlice(0, object.byteSize() - Integer.BYTES);
    return new MappingDecoder(body, widths).decode();
  }

  /** Returns the mappings in stored order. */
  public List<VirtualMapping> entries() {
    return entries;
  }

  /** Returns the number of mappings. */
  public int size() {
    return entries.size();
  }

  /** Returns a cursor over the bounding boxes of the virtual selections. */
  public VirtualBounds bounds() {
    return entries instanceof StoredMappings stored ? stored.bounds() : VirtualBounds.of(entries);
  }

  /**
   * Returns the indices of the mappings with an unlimited virtual selection, in ascending order.
   */
  public int[] unlimited() {
    return summary.unlimited();
  }

  /**
   * Returns the index of the first mapping whose virtual selection does not have the given rank;
   * empty if there is none. A selection of all or no elements is valid for any rank.
   */
  public OptionalInt ofOtherRank(int rank) {
    return summary.ofOtherRank(rank);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VirtualMappings that && entries.equals(that.entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}
