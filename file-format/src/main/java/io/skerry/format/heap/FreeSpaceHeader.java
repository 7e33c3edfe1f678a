package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The header of a free-space manager, whose sections are verified but not used. Source: HDF5 File
 * Format Specification 3.0, section III.H, "Free-space Manager".
 *
 * <pre>
 * "FSHD" | version 0 u8 | client u8 | free bytes L | sections L | serialized L | ghost L
 * section classes u16 | shrink percent u16 | expand percent u16 | address bits u16
 * largest section L | section list O | its used size L | its allocated size L
 * lookup3 checksum of all bytes above
 * </pre>
 *
 * @param block the file space of the header
 * @param sections the list of the sections
 */
record FreeSpaceHeader(Block block, FreeSpaceSections sections) {
  private static final String WHAT = "free-space manager";

  static FreeSpaceHeader read(ByteSource source, Widths widths, long address) {
    Block block = new Block(address, 18L + 7L * widths.length() + widths.offset());
    try {
      ByteReader in =
          ByteReader.of(Checksums.verified(source.read(address, block.length()), WHAT), WHAT);
      in.expectSignature("FSHD");
      in.expect("version", 0, in.u8());
      in.skip(1);
      long free = widths.readLength(in, "free bytes");
      in.skip(widths.length());
      long listed = widths.readLength(in, "serialized sections");
      long ghosts = widths.readLength(in, "ghost sections");
      in.skip(6);
      int addressBits = in.u16();
      long largest = widths.readLength(in, "largest section");
      long list = widths.readAddress(in, "section list");
      long used = widths.readLength(in, "used bytes of the section list");
      long allocated = widths.readLength(in, "section list bytes");
      if (used > allocated) {
        throw in.fault("used bytes of the section list", "at most " + allocated, used);
      }
      boolean stored = FileAddress.isDefined(list) && allocated > 0;
      if (!stored && listed > 0) {
        throw in.fault("section list", "a block for " + listed + " sections", "none");
      }
      FreeSpaceSections sections =
          new FreeSpaceSections(
              stored ? Optional.of(new Block(list, allocated)) : Optional.empty(),
              used,
              new FreeSpaceSections.Totals(free, listed, ghosts, addressBits, largest));
      return new FreeSpaceHeader(block, sections);
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(address);
    }
  }

  /**
   * Returns the file space of the header and of the section list, after verifying the list.
   *
   * @throws FormatException if the list is damaged or contradicts the header
   */
  List<Block> blocks(ByteSource source, Widths widths, DoublingTable table) {
    List<Block> blocks = new ArrayList<>(List.of(block));
    sections
        .block()
        .ifPresent(list -> {
          sections.verify(source, widths, block.address(), table);
          blocks.add(list);
        });
    return blocks;
  }
}
