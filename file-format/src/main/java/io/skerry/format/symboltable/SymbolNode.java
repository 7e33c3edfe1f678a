package io.skerry.format.symboltable;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.superblock.SymbolEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * A symbol table node: links of a group, ordered by the bytes of their names. Source: HDF5 File
 * Format Specification 3.0, section III.B, "Group Symbol Table Nodes".
 *
 * <pre>
 * off bytes field
 * 0   4     "SNOD"
 * 4   1     version, 1
 * 5   1     reserved
 * 6   2     number of links n
 * 8   n x   {@link SymbolEntry}
 * .   -     unused, up to the size of 2K entries (K: order of symbol table nodes)
 * </pre>
 *
 * @param entries the entries of the links
 */
record SymbolNode(List<SymbolEntry> entries) {
  private static final int HEADER = 8;

  /** The maximum value of the field that stores the number of links. */
  private static final int MOST_LINKS = 0xffff;

  SymbolNode {
    entries = List.copyOf(entries);
  }

  /** Returns the size of a node in bytes, including unused space. */
  static long size(Widths widths, int order) {
    return HEADER + 2L * order * SymbolEntry.size(widths);
  }

  /**
   * Returns the maximum number of links in a node: twice the order, limited by the field that
   * stores the number.
   */
  static int capacity(int order) {
    return Math.min(2 * order, MOST_LINKS);
  }

  static SymbolNode read(ByteSource source, Widths widths, long address) {
    try {
      ByteReader in = ByteReader.of(source.read(address, HEADER), "symbol table node");
      in.expectSignature("SNOD");
      in.expect("version", 1, in.u8());
      in.skip(1);
      int count = in.u16();
      long bytes = (long) count * SymbolEntry.size(widths);
      ByteReader body = ByteReader.of(source.read(address + HEADER, bytes), "symbol table node");
      List<SymbolEntry> entries = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        entries.add(SymbolEntry.decode(body, widths));
      }
      return new SymbolNode(entries);
    } catch (FormatException e) {
      throw e.atAddress(address).inObject("symbol table node").inFile(source.name());
    }
  }

  void encode(ByteWriter out, Widths widths, int order) {
    long end = out.position() + size(widths, order);
    out.text("SNOD").u8(1).u8(0).u16(entries.size());
    for (SymbolEntry entry : entries) {
      entry.encode(out, widths);
    }
    out.zeros(Math.toIntExact(end - out.position()));
  }
}
