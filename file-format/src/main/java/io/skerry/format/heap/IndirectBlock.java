package io.skerry.format.heap;

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
import java.util.ArrayList;
import java.util.List;

/**
 * An indirect block of a fractal heap: the addresses of the blocks in its rows. Source: HDF5 File
 * Format Specification 3.0, section III.G, "Fractal Heap".
 *
 * <pre>
 * "FHIB" | version 0 u8 | heap header O | offset in the heap
 * per block of a direct row:    address O [| filtered size L | filter mask u32, if filtered]
 * per block of an indirect row: address O
 * lookup3 checksum of all bytes above
 * </pre>
 *
 * @param offset the offset of its first block in the address space of the heap
 * @param rows the number of rows
 * @param children the entries of the blocks, row by row
 */
record IndirectBlock(long offset, int rows, List<Child> children) {
  private static final String WHAT = "fractal heap indirect block";

  IndirectBlock {
    children = List.copyOf(children);
  }

  /**
   * The entry of a block.
   *
   * @param address the address; undefined if the block is not in the file
   * @param filteredSize the size in bytes of the filtered block, as stored in the file, if the heap
   *     is filtered
   * @param filterMask the mask of skipped filters
   */
  record Child(long address, long filteredSize, int filterMask) {
    static final Child NONE = new Child(FileAddress.UNDEFINED, 0, 0);
  }

  static Block block(FractalHeapHeader heap, long address, int rows) {
    return new Block(address, heap.parameters().indirectSize(rows, heap.widths()));
  }

  static IndirectBlock read(
      ByteSource source, FractalHeapHeader heap, Block at, long offset, int rows) {
    try {
      ByteReader in =
          ByteReader.of(Checksums.verified(source.read(at.address(), at.length()), WHAT), WHAT);
      DirectBlock.readStart(in, "FHIB", heap, offset);
      FractalHeapParameters p = heap.parameters();
      Widths widths = heap.widths();
      int count = rows * p.table().width();
      int direct = Math.min(rows, p.table().directRows()) * p.table().width();
      List<Child> children = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        long address = widths.readAddress(in, "address of a block");
        boolean sized = p.isFiltered() && i < direct;
        children.add(
            sized
                ? new Child(address, widths.readLength(in, "filtered size"), in.i32())
                : new Child(address, 0, 0));
      }
      return new IndirectBlock(offset, rows, children);
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(at.address());
    }
  }

  BlockImage image(FractalHeapParameters p, Widths widths, long heap, long address) {
    ByteWriter out = ByteWriter.create();
    out.text("FHIB").u8(0);
    widths.writeAddress(out, heap);
    out.uint(offset, p.table().offsetBytes());
    int direct = Math.min(rows, p.table().directRows()) * p.table().width();
    for (int i = 0; i < children.size(); i++) {
      Child child = children.get(i);
      widths.writeAddress(out, child.address);
      if (p.isFiltered() && i < direct) {
        widths.writeLength(out, child.filteredSize);
        out.u32(child.filterMask);
      }
    }
    out.checksumFrom(0);
    return new BlockImage(address, BlockKind.FRACTAL_HEAP_INDIRECT_BLOCK, out.written());
  }
}
