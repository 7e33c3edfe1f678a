package io.skerry.format.superblock;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.AddressMapping;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import java.util.Optional;

/**
 * Encodes and decodes superblocks of versions 0 and 1, which have no checksum. Source: HDF5 File
 * Format Specification 3.0, section II.A, "Format Signature and Superblock".
 *
 * <pre>
 * off   bytes field
 * 8     1     version, 0 or 1
 * 9     1     version of free space, 0
 * 10    1     version of the root entry, 0
 * 11    1     reserved
 * 12    1     version of shared messages, 0
 * 13    1     size of offsets O
 * 14    1     size of lengths L
 * 15    1     reserved
 * 16    2     half the maximum number of links in a symbol table node
 * 18    2     half the maximum number of children of a group B-tree node
 * 20    4     consistency flags, ignored on read, written 0
 * 24    4     version 1 only: half the maximum number of children of a chunk B-tree
 *             node u16 | reserved u16
 * .     O     base address
 * .     O     free-space info, undefined
 * .     O     end of file
 * .     O     driver information block, or undefined
 * .     -     root group as a {@link SymbolEntry}
 * </pre>
 */
final class EarlySuperblock {
  private EarlySuperblock() {}

  static long size(int version, Widths widths) {
    return 24 + (version == 1 ? 4 : 0) + 4L * widths.offset() + SymbolEntry.size(widths);
  }

  /** Decodes the fields that follow the version. */
  static Superblock decode(ByteReader in, int version, AddressMapping places) {
    in.expect("version of free space", 0, in.u8());
    in.expect("version of the root entry", 0, in.u8());
    in.skip(1);
    in.expect("version of shared messages", 0, in.u8());
    Widths plain = new Widths(in.u8(), in.u8());
    Widths widths = new Widths(plain.offset(), plain.length(), places);
    in.skip(1);
    int leaf = order(in, "links of a symbol table node");
    int group = order(in, "children of a group's B-tree node");
    in.skip(4);
    int chunk = TreeOrders.DEFAULT.chunkNodes();
    if (version == 1) {
      chunk = order(in, "children of a chunk B-tree node");
      in.skip(2);
    }
    long base = plain.readDefinedAddress(in, "base address");
    widths.readAddress(in, "free space address");
    long end = widths.readEnd(in);
    long driver = widths.readAddress(in, "driver information address");
    SymbolEntry root = SymbolEntry.decode(in, widths);
    if (!FileAddress.isDefined(root.headerAddress())) {
      throw in.fault("root address", "a defined address", "undefined");
    }
    if (end < base) {
      throw in.fault("end of file", "at least the base address " + base, end);
    }
    return new Superblock(
        version,
        widths,
        base,
        FileAddress.UNDEFINED,
        end - base,
        root.headerAddress(),
        Optional.of(new EarlyFields(new TreeOrders(leaf, group, chunk), driver, root)));
  }

  private static int order(ByteReader in, String what) {
    int order = in.u16();
    if (order == 0) {
      throw in.fault("half the " + what, "at least 1", 0);
    }
    return order;
  }

  /** Appends the fields that follow the version. */
  static void encode(Superblock superblock, EarlyFields early, ByteWriter out) {
    Widths widths = superblock.widths();
    out.zeros(4).u8(widths.offset()).u8(widths.length()).u8(0);
    out.u16(early.orders().leafLinks()).u16(early.orders().groupNodes()).u32(0);
    if (superblock.version() == 1) {
      out.u16(early.orders().chunkNodes()).u16(0);
    }
    widths.writeAddress(out, superblock.baseAddress());
    widths.writeAddress(out, FileAddress.UNDEFINED);
    widths.writeAddress(out, superblock.endOfFile() + superblock.baseAddress());
    widths.writeAddress(out, early.driverAddress());
    early.root().encode(out, widths);
  }
}
