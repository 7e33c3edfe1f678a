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
 * Symbol table node: links of a group in the order of their names' bytes.
 *
 * <pre>
 * off bytes field
 * 0   4     "SNOD"
 * 4   1     version, 1
 * 5   1     reserved
 * 6   2     number of links n
 * 8   n x   {@link SymbolEntry}
 * .   -     unused room for entries up to twice the order of the file
 * </pre>
 *
 * @param entries the links
 */
record SymbolNode(List<SymbolEntry> entries) {
  private static final int HEADER = 8;

  SymbolNode {
    entries = List.copyOf(entries);
  }

  /** Bytes on disk, unused room included. */
  static long size(Widths widths, int order) {
    return HEADER + 2L * order * SymbolEntry.size(widths);
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
