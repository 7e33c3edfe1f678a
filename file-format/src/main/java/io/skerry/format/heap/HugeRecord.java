package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Block;
import io.skerry.format.block.Widths;
import io.skerry.format.btree.RecordType;

/**
 * The location of a huge object of a fractal heap: a version 2 B-tree record of type 1 to 4.
 * Source: HDF5 File Format Specification 3.0, section III.A.2, "Version 2 B-trees".
 *
 * <pre>
 * 1: address O | length L | ID L
 * 2: address O | length L | filter mask u32 | unfiltered size L | ID L
 * 3: address O | length L
 * 4: address O | length L | filter mask u32 | unfiltered size L
 * </pre>
 *
 * @param stored the file space of the object as stored
 * @param filterMask the mask of skipped filters, 0 in an unfiltered heap
 * @param size the unfiltered size in bytes
 * @param number the object ID, which is the key of records of types 1 and 2; otherwise 0
 */
record HugeRecord(Block stored, int filterMask, long size, long number) {
  static RecordType type(FractalHeapParameters p, Widths widths) {
    if (p.isHugeDirect(widths)) {
      return p.isFiltered() ? RecordType.HUGE_BY_ADDRESS_FILTERED : RecordType.HUGE_BY_ADDRESS;
    }
    return p.isFiltered() ? RecordType.HUGE_BY_ID_FILTERED : RecordType.HUGE_BY_ID;
  }

  static int recordSize(FractalHeapParameters p, Widths widths) {
    return p.hugePlaceBytes(widths) + (p.isHugeDirect(widths) ? 0 : widths.length());
  }

  static HugeRecord decode(ByteReader in, FractalHeapParameters p, Widths widths) {
    HugeRecord place = decodePlace(in, p, widths);
    long number = p.isHugeDirect(widths) ? 0 : in.uint(widths.length());
    return new HugeRecord(place.stored, place.filterMask, place.size, number);
  }

  static HugeRecord decodePlace(ByteReader in, FractalHeapParameters p, Widths widths) {
    long address = widths.readDefinedAddress(in, "address of a huge object");
    long length = widths.readLength(in, "length of a huge object");
    Block stored = new Block(address, length);
    if (!p.isFiltered()) {
      return new HugeRecord(stored, 0, length, 0);
    }
    int mask = in.i32();
    return new HugeRecord(stored, mask, widths.readLength(in, "unfiltered length"), 0);
  }

  void encode(ByteWriter out, FractalHeapParameters p, Widths widths) {
    encodePlace(out, p, widths);
    if (!p.isHugeDirect(widths)) {
      widths.writeLength(out, number);
    }
  }

  void encodePlace(ByteWriter out, FractalHeapParameters p, Widths widths) {
    widths.writeAddress(out, stored.address());
    widths.writeLength(out, stored.length());
    if (p.isFiltered()) {
      out.u32(filterMask);
      widths.writeLength(out, size);
    }
  }
}
