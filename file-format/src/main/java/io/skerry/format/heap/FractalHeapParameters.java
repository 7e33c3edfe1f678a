package io.skerry.format.heap;

import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;

/**
 * What is laid down when a fractal heap is made.
 *
 * @param idLength bytes of a heap id
 * @param maxManaged bytes of the largest object that stands in a block of the heap; larger ones are
 *     huge
 * @param checksums whether direct blocks carry one
 * @param table how the address space is cut
 * @param startRows rows of the first root indirect block; 0 for as many as there can be
 * @param filters of direct blocks and huge objects
 */
public record FractalHeapParameters(
    int idLength,
    long maxManaged,
    DirectBlockChecksum checksums,
    DoublingTable table,
    int startRows,
    FilterPipeline filters) {
  private static final int SHORT_TINY = 16;

  /** Whether direct blocks carry a checksum. */
  public enum DirectBlockChecksum {
    /** They do. */
    PRESENT,
    /** They do not. */
    ABSENT
  }

  /**
   * @throws FormatException if no heap can be like that
   */
  public FractalHeapParameters {
    if (maxManaged > table.maxDirect()) {
      throw new FormatException(
          "largest managed object", "at most a direct block of " + table.maxDirect(), maxManaged);
    }
    int needed = 1 + table.offsetBytes() + lengthBytes(table, maxManaged);
    if (idLength < needed || idLength > 4097) {
      throw new FormatException("length of a heap id", needed + " to 4097", idLength);
    }
  }

  /** The heap of a group's dense links, as the HDF5 library makes it. */
  public static FractalHeapParameters links() {
    return standard(7, new DoublingTable(4, 512, 1 << 16, 32));
  }

  /** The heap of an object's dense attributes, as the HDF5 library makes it. */
  public static FractalHeapParameters attributes() {
    return standard(8, new DoublingTable(4, 1024, 1 << 16, 40));
  }

  private static FractalHeapParameters standard(int idLength, DoublingTable table) {
    return new FractalHeapParameters(
        idLength, 4096, DirectBlockChecksum.PRESENT, table, 1, FilterPipeline.none());
  }

  boolean isFiltered() {
    return !filters.isEmpty();
  }

  /**
   * The bytes as the file has them.
   *
   * @throws FormatException if the heap has a filter whose parameters make no sense
   */
  FilterPipeline.Encoded filtered(MemorySegment bytes) {
    try {
      return filters.apply(bytes);
    } catch (IllegalArgumentException e) {
      throw new FormatException("filters of a fractal heap", "valid parameters", e);
    }
  }

  boolean isChecksummed() {
    return checksums == DirectBlockChecksum.PRESENT;
  }

  /** Bytes of the length of a managed object in its id. */
  int lengthBytes() {
    return lengthBytes(table, maxManaged);
  }

  private static int lengthBytes(DoublingTable table, long maxManaged) {
    int bits = 63 - Long.numberOfLeadingZeros(table.maxDirect());
    int ofObject = (63 - Long.numberOfLeadingZeros(Math.max(1, maxManaged))) / 8 + 1;
    return Math.min((bits + 7) / 8, ofObject);
  }

  /** Bytes before the objects of a direct block. */
  int directOverhead(Widths widths) {
    return 5 + widths.offset() + table.offsetBytes() + (isChecksummed() ? 4 : 0);
  }

  /** Bytes of an indirect block of so many rows. */
  long indirectSize(int rows, Widths widths) {
    long direct = (long) Math.min(rows, table.directRows()) * table.width();
    long indirect = (long) Math.max(0, rows - table.directRows()) * table.width();
    int entry = widths.offset() + (isFiltered() ? widths.length() + 4 : 0);
    return 5L
        + widths.offset()
        + table.offsetBytes()
        + direct * entry
        + indirect * widths.offset()
        + 4;
  }

  /** Bytes of the longest object that its id holds. */
  int maxTiny() {
    int room = idLength - 1;
    if (room <= SHORT_TINY) {
      return room;
    }
    return hasLongTiny() ? room - 1 : SHORT_TINY;
  }

  /** Whether the ids of tiny objects have two bytes of length. */
  boolean hasLongTiny() {
    return idLength - 1 > SHORT_TINY + 1;
  }

  /** Whether the ids of huge objects say where these are, instead of a number in a B-tree. */
  boolean isHugeDirect(Widths widths) {
    return hugePlaceBytes(widths) <= idLength - 1;
  }

  /** Bytes that say where a huge object is. */
  int hugePlaceBytes(Widths widths) {
    return widths.offset() + widths.length() + (isFiltered() ? 4 + widths.length() : 0);
  }

  /** Bytes of the number of a huge object in its id. */
  int hugeNumberBytes() {
    return Math.min(8, idLength - 1);
  }
}
