package io.skerry.format.index.array;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.index.api.RecordFormat;
import io.skerry.format.layout.ExtensibleArrayParameters;

/**
 * The statistics and the index block address in the header of an extensible array.
 *
 * @param superBlocks the number of super blocks on disk
 * @param superBlockBytes the total size in bytes of these super blocks
 * @param dataBlocks the number of data blocks on disk
 * @param dataBlockBytes the total size in bytes of these data blocks, including pages
 * @param maxIndexSet the highest element number ever set, plus 1
 * @param elements the number of elements with allocated space, in the index block and the data
 *     blocks
 * @param indexBlock the address of the index block, undefined if there is none
 */
record ExtensibleArrayHeader(
    long superBlocks,
    long superBlockBytes,
    long dataBlocks,
    long dataBlockBytes,
    long maxIndexSet,
    long elements,
    long indexBlock) {
  static final ExtensibleArrayHeader EMPTY =
      new ExtensibleArrayHeader(0, 0, 0, 0, 0, 0, FileAddress.UNDEFINED);

  /** Reads the fields that follow the signature, version and client ID. */
  static ExtensibleArrayHeader read(
      ByteReader in, RecordFormat records, ExtensibleArrayParameters p, Widths widths) {
    in.expect("element size", records.size(), in.u8());
    in.expect("bits of the greatest index", p.maxBits(), in.u8());
    in.expect("elements in the index block", p.indexBlockElements(), in.u8());
    in.expect("least data block elements", p.minElements(), in.u8());
    in.expect("least data block addresses", p.minPointers(), in.u8());
    in.expect("page bits", p.pageBits(), in.u8());
    return new ExtensibleArrayHeader(
        widths.readLength(in, "super blocks"),
        widths.readLength(in, "bytes of super blocks"),
        widths.readLength(in, "data blocks"),
        widths.readLength(in, "bytes of data blocks"),
        widths.readLength(in, "greatest index"),
        widths.readLength(in, "elements"),
        widths.readAddress(in, "index block address"));
  }

  /** Appends the fields that follow the signature, version, client ID and element size. */
  void write(ByteWriter out, ExtensibleArrayParameters p, Widths widths) {
    out.u8(p.maxBits()).u8(p.indexBlockElements()).u8(p.minElements());
    out.u8(p.minPointers()).u8(p.pageBits());
    widths.writeLength(out, superBlocks);
    widths.writeLength(out, superBlockBytes);
    widths.writeLength(out, dataBlocks);
    widths.writeLength(out, dataBlockBytes);
    widths.writeLength(out, maxIndexSet);
    widths.writeLength(out, elements);
    widths.writeAddress(out, indexBlock);
  }

  ExtensibleArrayHeader withIndexBlock(long address, int elementsInIt) {
    return new ExtensibleArrayHeader(
        superBlocks,
        superBlockBytes,
        dataBlocks,
        dataBlockBytes,
        maxIndexSet,
        elements + elementsInIt,
        address);
  }

  ExtensibleArrayHeader withSuperBlock(long bytes) {
    return new ExtensibleArrayHeader(
        superBlocks + 1,
        superBlockBytes + bytes,
        dataBlocks,
        dataBlockBytes,
        maxIndexSet,
        elements,
        indexBlock);
  }

  ExtensibleArrayHeader withDataBlock(long bytes, long elementsInIt) {
    return new ExtensibleArrayHeader(
        superBlocks,
        superBlockBytes,
        dataBlocks + 1,
        dataBlockBytes + bytes,
        maxIndexSet,
        elements + elementsInIt,
        indexBlock);
  }

  ExtensibleArrayHeader withMaxIndexSet(long value) {
    return new ExtensibleArrayHeader(
        superBlocks,
        superBlockBytes,
        dataBlocks,
        dataBlockBytes,
        Math.max(maxIndexSet, value),
        elements,
        indexBlock);
  }
}
