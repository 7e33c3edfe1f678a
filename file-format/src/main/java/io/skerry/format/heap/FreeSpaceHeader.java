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

/**
 * The header of a free-space manager. Only the file space that the manager occupies is decoded; its
 * sections are not needed here. Source: HDF5 File Format Specification 3.0, section III.H,
 * "Free-space Manager".
 *
 * <pre>
 * "FSHD" | version 0 u8 | client u8 | free bytes L | sections L | serialized L | ghost L
 * section classes u16 | shrink percent u16 | expand percent u16 | address bits u16
 * largest section L | section list O | its used size L | its allocated size L
 * lookup3 checksum of all bytes above
 * </pre>
 *
 * @param block the file space of the header
 * @param sections the address of the section list, or undefined
 * @param sectionBytes the number of bytes allocated for the section list
 */
record FreeSpaceHeader(Block block, long sections, long sectionBytes) {
  private static final String WHAT = "free-space manager";

  static FreeSpaceHeader read(ByteSource source, Widths widths, long address) {
    Block block = new Block(address, 18L + 7L * widths.length() + widths.offset());
    try {
      ByteReader in =
          ByteReader.of(Checksums.verified(source.read(address, block.length()), WHAT), WHAT);
      in.expectSignature("FSHD");
      in.expect("version", 0, in.u8());
      in.skip(1 + 4L * widths.length() + 8 + widths.length());
      long sections = widths.readAddress(in, "section list");
      in.skip(widths.length());
      return new FreeSpaceHeader(block, sections, widths.readLength(in, "section list bytes"));
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(address);
    }
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>(List.of(block));
    if (FileAddress.isDefined(sections) && sectionBytes > 0) {
      blocks.add(new Block(sections, sectionBytes));
    }
    return blocks;
  }
}
