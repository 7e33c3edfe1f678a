package io.skerry.format.index.array;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.index.api.ChunkLinearizer;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.IndexInfo;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads the spine of an extensible array. {@link ExtensibleArrayIndex} documents the byte layout.
 */
final class ExtensibleArrayReader {
  private final ByteSource source;
  private final ExtensibleArrayGeometry geometry;
  private final IndexInfo.ExtensibleArray info;
  private final ArrayBlocks expected;

  ExtensibleArrayReader(
      ByteSource source,
      ExtensibleArrayGeometry geometry,
      IndexInfo.ExtensibleArray info,
      ArrayBlocks expected) {
    this.source = source;
    this.geometry = geometry;
    this.info = info;
    this.expected = expected;
  }

  ExtensibleArrayIndex read(ChunkedLayout layout, ChunkLinearizer grid) {
    Block headerBlock = new Block(info.address(), geometry.headerSize());
    return ArrayBlocks.load(
        source,
        headerBlock,
        "extensible array header",
        in -> {
          ArrayBlocks blocks =
              ArrayBlocks.readStart(in, "EAHD", expected.records(), expected.widths());
          ExtensibleArrayHeader header =
              ExtensibleArrayHeader.read(
                  in, expected.records(), info.parameters(), expected.widths());
          return new ExtensibleArrayIndex(
              layout, info, blocks, grid, header, superBlocks(header.indexBlock()));
        });
  }

  private SortedMap<Integer, ExtensibleArraySuperBlock> superBlocks(long indexBlock) {
    if (!FileAddress.isDefined(indexBlock)) {
      return new TreeMap<>();
    }
    Block block = new Block(indexBlock, geometry.indexBlockSize());
    return ArrayBlocks.load(source, block, "extensible array index block", this::indexBlock);
  }

  private SortedMap<Integer, ExtensibleArraySuperBlock> indexBlock(ByteReader in) {
    expected.readStart(in, "EAIB", info.address());
    in.skip((long) info.parameters().indexBlockElements() * geometry.elementSize());
    SortedMap<Integer, ExtensibleArraySuperBlock> found = new TreeMap<>();
    for (int number = 0; number < geometry.directSuperBlocks(); number++) {
      long[] addresses = addresses(in, (int) geometry.dataBlocks(number));
      if (Arrays.stream(addresses).anyMatch(FileAddress::isDefined)) {
        found.put(
            number,
            new ExtensibleArraySuperBlock(number, FileAddress.UNDEFINED, addresses, new BitSet()));
      }
    }
    for (int number = geometry.directSuperBlocks(); number < geometry.superBlocks(); number++) {
      long address = expected.widths().readAddress(in, "super block address");
      if (FileAddress.isDefined(address)) {
        found.put(number, superBlock(number, address));
      }
    }
    return found;
  }

  private ExtensibleArraySuperBlock superBlock(int number, long address) {
    return ArrayBlocks.load(
        source,
        new Block(address, geometry.superBlockSize(number)),
        "extensible array super block",
        in -> {
          expected.readStart(in, "EASB", info.address());
          in.expect("block offset", geometry.startElement(number), in.uint(geometry.offsetSize()));
          BitSet pages = PageBits.read(in, geometry.bitmapSize(number));
          long[] addresses = addresses(in, (int) geometry.dataBlocks(number));
          return new ExtensibleArraySuperBlock(number, address, addresses, pages);
        });
  }

  private long[] addresses(ByteReader in, int count) {
    long[] addresses = new long[count];
    for (int i = 0; i < count; i++) {
      addresses[i] = expected.widths().readAddress(in, "data block address");
    }
    return addresses;
  }
}
