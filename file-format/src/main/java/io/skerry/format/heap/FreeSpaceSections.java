package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The list of the sections of a fractal heap's free-space manager. Source: HDF5 File Format
 * Specification 3.0, section III.H, "Free-space Manager".
 *
 * <pre>
 * "FSSE" | version 0 u8 | address of the manager's header O
 * for each size of sections: their number N | size S | for each section: offset A | type u8 | data
 * lookup3 checksum of all bytes above
 *
 * data of type 0, free bytes of one direct block: none
 * data of type 1, blocks that are not allocated:
 *     offset of the indirect block | first row u16 | first column u16 | number of blocks u16
 * </pre>
 *
 * <p>The widths of N, S and A are those required by the number of listed sections, the size of the
 * largest section and the address space, respectively. In files written by some earlier HDF5
 * releases, the width of S is instead that required by the size of the largest section minus one:
 * two bytes for 65,536. The header does not state which of the two widths the list uses.
 *
 * @param block the file space of the list; empty if there is no list
 * @param used the number of bytes in use at the start of the block
 * @param totals the fields of the header that describe the sections
 */
record FreeSpaceSections(Optional<Block> block, long used, Totals totals) {
  private static final String WHAT = "free-space section list";

  /**
   * The fields of the header that describe the sections.
   *
   * @param free the total size of all sections in bytes
   * @param listed the number of sections in the list
   * @param ghosts the number of sections that are not in the list
   * @param addressBits the number of bits of the address space
   * @param largest the size in bytes of the largest possible section
   */
  record Totals(long free, long listed, long ghosts, int addressBits, long largest) {}

  /**
   * Reads the list and checks it.
   *
   * @param header the address of the manager's header
   * @param table the division of the address space of the heap
   * @throws FormatException if the list is damaged, if a section is outside the address space or
   *     overlaps another one, or if the number or total size of the sections contradicts the header
   */
  void verify(ByteSource source, Widths widths, long header, DoublingTable table) {
    Block at = block.orElseThrow();
    try {
      if (at.end() > source.size()) {
        throw new FormatException(WHAT, "within the file of " + source.size() + " bytes", at);
      }
      ByteReader in =
          ByteReader.of(Checksums.verified(source.read(at.address(), used), WHAT), WHAT);
      in.expectSignature("FSSE");
      in.expect("version", 0, in.u8());
      in.expect("address of the header", header, widths.readAddress(in, "header"));
      verify(in.slice(in.remaining()), table);
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(at.address());
    }
  }

  private void verify(MemorySegment listed, DoublingTable table) {
    int width = bytesFor(totals.largest);
    int earlyWidth = bytesFor(totals.largest - 1);
    try {
      verify(listed, width, table);
    } catch (FormatException e) {
      if (earlyWidth == width || !isValid(listed, earlyWidth, table)) {
        throw e;
      }
    }
  }

  private boolean isValid(MemorySegment listed, int sizeBytes, DoublingTable table) {
    try {
      verify(listed, sizeBytes, table);
      return true;
    } catch (FormatException e) {
      return false;
    }
  }

  private void verify(MemorySegment listed, int sizeBytes, DoublingTable table) {
    ByteReader in = ByteReader.of(listed, WHAT);
    TreeMap<Long, Long> ends = new TreeMap<>();
    long sum = 0;
    int countBytes = bytesFor(totals.listed);
    int offsetBytes = (Math.clamp(totals.addressBits, 1, 64) + 7) / 8;
    while (ends.size() < totals.listed) {
      long count = in.uint(countBytes);
      long size = in.uint(sizeBytes);
      if (count < 1 || count > totals.listed - ends.size()) {
        throw in.fault("number of sections", "1 to " + (totals.listed - ends.size()), count);
      }
      for (long i = 0; i < count; i++) {
        add(in, in.uint(offsetBytes), size, table, ends);
        sum = Math.addExact(sum, size);
      }
    }
    if (sum > totals.free || totals.ghosts == 0 && sum != totals.free) {
      throw in.fault("bytes of all free sections", totals.free, sum);
    }
  }

  private void add(
      ByteReader in, long offset, long size, DoublingTable table, TreeMap<Long, Long> ends) {
    int type = in.u8();
    if (type > 1) {
      throw in.fault("type of a free section", "0 or 1", type);
    }
    in.skip(type == 0 ? 0 : table.offsetBytes() + 6L);
    long end = table.span(table.maxRows());
    if (size < 1 || offset < 0 || offset > end - size) {
      throw in.fault(
          "free section", "within " + end + " bytes", Long.toUnsignedString(offset) + "+" + size);
    }
    Map.Entry<Long, Long> before = ends.lowerEntry(offset + size);
    if (before != null && before.getValue() > offset) {
      throw in.fault(
          "free section", "apart from the one at " + before.getKey(), offset + "+" + size);
    }
    ends.put(offset, offset + size);
  }

  /** Returns the number of bytes that can store any number from 0 to the given limit. */
  private static int bytesFor(long most) {
    return (63 - Long.numberOfLeadingZeros(Math.max(1, most))) / 8 + 1;
  }
}
