package io.skerry.format.index.array;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.FileAddress;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.array.ExtensibleArrayGeometry.Place;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Encodes the blocks of an extensible array. {@link ExtensibleArrayIndex} documents the byte
 * layout.
 */
final class ExtensibleArrayWriter {
  private ExtensibleArrayWriter() {}

  static BlockImage header(ExtensibleArrayIndex index) {
    ByteWriter out = ByteWriter.create();
    index.arrayBlocks().writeHeaderStart(out, "EAHD");
    index.header().write(out, index.info().parameters(), index.arrayBlocks().widths());
    return new BlockImage(
        index.info().address(), BlockKind.EXTENSIBLE_ARRAY_HEADER, out.checksumFrom(0).written());
  }

  static MemorySegment indexBlock(ExtensibleArrayIndex index, List<Optional<ChunkRecord>> records) {
    ExtensibleArrayGeometry geometry = index.geometry();
    ByteWriter out = ByteWriter.create();
    index.arrayBlocks().writeStart(out, "EAIB", index.info().address());
    index.arrayBlocks().writeElements(out, records);
    for (int number = 0; number < geometry.superBlocks(); number++) {
      ExtensibleArraySuperBlock owner = index.superBlocks().get(number);
      if (number >= geometry.directSuperBlocks()) {
        long address = owner == null ? FileAddress.UNDEFINED : owner.address();
        geometry.widths().writeAddress(out, address);
      } else {
        addresses(
            index,
            out,
            owner == null ? none((int) geometry.dataBlocks(number)) : owner.dataBlocks());
      }
    }
    return out.checksumFrom(0).written();
  }

  private static long[] none(int count) {
    long[] addresses = new long[count];
    Arrays.fill(addresses, FileAddress.UNDEFINED);
    return addresses;
  }

  private static void addresses(ExtensibleArrayIndex index, ByteWriter out, long[] addresses) {
    for (long address : addresses) {
      index.geometry().widths().writeAddress(out, address);
    }
  }

  static BlockImage superBlock(ExtensibleArrayIndex index, ExtensibleArraySuperBlock block) {
    ExtensibleArrayGeometry geometry = index.geometry();
    ByteWriter out = ByteWriter.create();
    index.arrayBlocks().writeStart(out, "EASB", index.info().address());
    out.uint(geometry.startElement(block.number()), geometry.offsetSize());
    PageBits.write(out, block.pages(), geometry.bitmapSize(block.number()));
    addresses(index, out, block.dataBlocks());
    return new BlockImage(
        block.address(), BlockKind.EXTENSIBLE_ARRAY_SUPER_BLOCK, out.checksumFrom(0).written());
  }

  static void dataBlockStart(ExtensibleArrayIndex index, Place place, ByteWriter out) {
    ExtensibleArrayGeometry geometry = index.geometry();
    index.arrayBlocks().writeStart(out, "EADB", index.info().address());
    out.uint(geometry.storedOffset(place.superBlock(), place.dataBlock()), geometry.offsetSize());
  }

  /** Encodes the prefix of a paged data block, which precedes its pages. */
  static BlockImage dataBlockPrefix(ExtensibleArrayIndex index, Place place, long address) {
    ByteWriter out = ByteWriter.create();
    dataBlockStart(index, place, out);
    return new BlockImage(
        address, BlockKind.EXTENSIBLE_ARRAY_DATA_BLOCK, out.checksumFrom(0).written());
  }
}
