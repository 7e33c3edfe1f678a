package io.skerry.format.btree;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;

/**
 * The header of a version 2 B-tree. Source: HDF5 File Format Specification 3.0, section III.A.2,
 * "Version 2 B-trees"; the HDF5 branch {@code feature/sparse_data} (2026) writes version 1 of the
 * header for structured chunks.
 *
 * <pre>
 * off   bytes field
 * 0     4     "BTHD"
 * 4     1     version: 0; for structured chunks 0 or 1, written as 1
 * 5     1     type of the records
 * 6     4     node size
 * 10    2     record size
 * 12    2     depth: 0 if the root is a leaf
 * 14    1     split percent
 * 15    1     merge percent
 * 16    O     root node, undefined if there is no record
 * 16+O  2     records in the root node
 * 18+O  L     records in the tree
 * .     4     lookup3 checksum of all bytes above
 * </pre>
 *
 * @param address the address of the header
 * @param widths the sizes of offsets and lengths in the file
 * @param parameters the parameters that never change
 * @param depth the number of levels above the leaves
 * @param root the root node
 */
record BTree2Header(
    long address, Widths widths, BTree2Parameters parameters, int depth, NodePointer root) {
  private static final String WHAT = "B-tree header";

  static long size(Widths widths) {
    return 22L + widths.offset() + widths.length();
  }

  Block block() {
    return new Block(address, size(widths));
  }

  static BTree2Header read(ByteSource source, Widths widths, long address) {
    try {
      MemorySegment bytes = source.read(address, size(widths));
      MemorySegment body = Checksums.verified(bytes, WHAT);
      return decode(ByteReader.of(body, WHAT), widths, address, source.size());
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(address);
    }
  }

  private static BTree2Header decode(ByteReader in, Widths widths, long address, long fileSize) {
    in.expectSignature("BTHD");
    int version = in.u8();
    int type = in.u8();
    RecordType[] types = RecordType.values();
    if (type >= types.length) {
      throw in.fault("type of records", "below " + types.length, type);
    }
    int newest = types[type].headerVersion();
    if (version > newest) {
      throw in.fault("version", newest == 0 ? "0" : "0 or 1", version);
    }
    long nodeSize = in.u32();
    int recordSize = in.u16();
    int depth = in.u16();
    BTree2Parameters parameters =
        new BTree2Parameters(types[type], nodeSize, recordSize, in.u8(), in.u8());
    long rootAddress = widths.readAddress(in, "root node");
    int rootRecords = in.u16();
    long total = widths.readLength(in, "records in the tree");
    BTree2Shape shape = parameters.shape(widths);
    if (depth >= shape.levels().size()) {
      throw in.fault("depth", "below " + shape.levels().size(), depth);
    }
    if (total > fileSize / recordSize) {
      throw in.fault("records in the tree", "at most " + fileSize / recordSize, total);
    }
    NodePointer root = NodePointer.NONE;
    if (FileAddress.isDefined(rootAddress)) {
      root = BTree2Node.checked(in, shape, depth, new NodePointer(rootAddress, rootRecords, total));
    } else {
      in.expect("records in a tree without root", 0, total);
      in.expect("depth of a tree without root", 0, depth);
    }
    return new BTree2Header(address, widths, parameters, depth, root);
  }

  BlockImage image() {
    ByteWriter out = ByteWriter.create();
    out.text("BTHD").u8(parameters.type().headerVersion()).u8(parameters.type().number());
    out.u32(parameters.nodeSize());
    out.u16(parameters.recordSize()).u16(depth);
    out.u8(parameters.splitPercent()).u8(parameters.mergePercent());
    widths.writeAddress(out, root.address());
    out.u16(root.records());
    widths.writeLength(out, root.total());
    out.checksumFrom(0);
    return new BlockImage(address, BlockKind.BTREE2_HEADER, out.written());
  }
}
