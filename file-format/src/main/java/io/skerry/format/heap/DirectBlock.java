package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import java.lang.foreign.MemorySegment;

/**
 * A direct block of a fractal heap. Contains objects; its free space is not marked.
 *
 * <pre>
 * "FHDB" | version 0 u8 | heap header O | offset in the heap | [lookup3 checksum] | objects
 * </pre>
 *
 * <p>If the heap has checksums, the checksum covers the whole unfiltered block, with the checksum
 * field set to zero. The address space of the heap includes the prefix of each block. Source: HDF5
 * File Format Specification 3.0, section III.G, "Fractal Heap".
 *
 * @param stored the block as stored in the file
 * @param filterMask the mask of skipped filters
 * @param size the unfiltered size in bytes
 * @param offset the offset in the address space of the heap
 */
record DirectBlock(Block stored, int filterMask, long size, long offset) {
  private static final String WHAT = "fractal heap direct block";
  private static final int CHECKSUM = 4;

  /** Reads, unfilters and verifies the bytes of the block. */
  MemorySegment read(ByteSource source, FractalHeapHeader heap) {
    try {
      MemorySegment bytes = source.read(stored.address(), stored.length());
      FractalHeapParameters p = heap.parameters();
      if (p.isFiltered()) {
        bytes = p.filters().undo(bytes, filterMask, size);
      }
      ByteReader in = ByteReader.of(bytes, WHAT);
      in.expect("unfiltered bytes", size, bytes.byteSize());
      readStart(in, "FHDB", heap, offset);
      if (p.isChecksummed()) {
        Checksums.check(in, checksum(bytes, in.position()));
      }
      return bytes;
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(stored.address());
    }
  }

  /**
   * Returns the checksum of a block whose checksum field is at the given offset. The field is
   * treated as zero.
   */
  static int checksum(MemorySegment block, long at) {
    MemorySegment blank = HeapBytes.copyOf(block);
    blank.asSlice(at, CHECKSUM).fill((byte) 0);
    return Lookup3.checksum(blank);
  }

  /** Reads and checks the fields with which every direct and indirect block of a heap begins. */
  static void readStart(ByteReader in, String signature, FractalHeapHeader heap, long offset) {
    in.expectSignature(signature);
    in.expect("version", 0, in.u8());
    long owner = heap.widths().readAddress(in, "address of the heap");
    if (owner != heap.address()) {
      throw in.fault(
          "address of the heap",
          "0x" + Long.toHexString(heap.address()),
          "0x" + Long.toHexString(owner));
    }
    in.expect("offset in the heap", offset, in.uint(heap.parameters().table().offsetBytes()));
  }
}
