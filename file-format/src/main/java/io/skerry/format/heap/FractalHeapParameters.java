package io.skerry.format.heap;

import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;

/**
 * Parameters of a fractal heap that are set when it is created.
 *
 * @param idLength the size of a heap ID in bytes
 * @param maxManaged the size in bytes of the largest managed object; larger ones are huge
 * @param checksums the presence of checksums in direct blocks
 * @param table the division of the address space into blocks
 * @param startRows the number of rows of the first root indirect block; 0 for the maximum
 * @param filters the filters of direct blocks and huge objects
 */
public record FractalHeapParameters(
    int idLength,
    long maxManaged,
    DirectBlockChecksum checksums,
    DoublingTable table,
    int startRows,
    FilterPipeline filters) {
  private static final int SHORT_TINY = 16;

  /** Presence of checksums in direct blocks. */
  public enum DirectBlockChecksum {
    /** Direct blocks have a checksum. */
    PRESENT,
    /** Direct blocks have no checksum. */
    ABSENT
  }

  /**
   * Checks the parameters.
   *
   * @throws FormatException if no heap can have these parameters
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

  /** Returns the parameters that the HDF5 library uses for the dense links of a group. */
  public static FractalHeapParameters links() {
    return standard(7, new DoublingTable(4, 512, 1 << 16, 32));
  }

  /** Returns the parameters that the HDF5 library uses for the dense attributes of an object. */
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
   * Applies the filters of the heap.
   *
   * @throws FormatException if the parameters of a filter are invalid
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

  /** Returns the size in bytes of the length field in the ID of a managed object. */
  int lengthBytes() {
    return lengthBytes(table, maxManaged);
  }

  private static int lengthBytes(DoublingTable table, long maxManaged) {
    int bits = 63 - Long.numberOfLeadingZeros(table.maxDirect());
    int ofObject = (63 - Long.numberOfLeadingZeros(Math.max(1, maxManaged))) / 8 + 1;
    return Math.min((bits + 7) / 8, ofObject);
  }

  /** Returns the size in bytes of the prefix of a direct block. */
  int directOverhead(Widths widths) {
    return 5 + widths.offset() + table.offsetBytes() + (isChecksummed() ? 4 : 0);
  }

  /** Returns the size in bytes of an indirect block with the given number of rows. */
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

  /** Returns the size in bytes of the largest tiny object. */
  int maxTiny() {
    int room = idLength - 1;
    if (room <= SHORT_TINY) {
      return room;
    }
    return hasLongTiny() ? room - 1 : SHORT_TINY;
  }

  /** Returns whether the length of a tiny object occupies two bytes of its ID. */
  boolean hasLongTiny() {
    return idLength - 1 > SHORT_TINY + 1;
  }

  /** Returns whether the ID of a huge object contains its address rather than a B-tree key. */
  boolean isHugeDirect(Widths widths) {
    return hugePlaceBytes(widths) <= idLength - 1;
  }

  /** Returns the size in bytes of the address, length and filter fields of a huge object. */
  int hugePlaceBytes(Widths widths) {
    return widths.offset() + widths.length() + (isFiltered() ? 4 + widths.length() : 0);
  }

  /** Returns the size in bytes of the B-tree key in the ID of a huge object. */
  int hugeNumberBytes() {
    return Math.min(8, idLength - 1);
  }
}
