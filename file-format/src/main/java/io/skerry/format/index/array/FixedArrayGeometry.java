package io.skerry.format.index.array;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;

/**
 * The division of a fixed array into pages, and their offsets in the data block. Source: HDF5 File
 * Format Specification 3.0, section VII.C, "The Fixed Array Index".
 *
 * @param elements the number of elements
 * @param pageBits log2 of the number of elements per page; an array with more elements is paged
 * @param elementSize the size of an element in bytes
 * @param startSize the size in bytes of the start of a block, up to and including the header
 *     address
 */
record FixedArrayGeometry(long elements, int pageBits, int elementSize, int startSize) {
  FixedArrayGeometry {
    boolean tooMany =
        elements > Long.MAX_VALUE / (2L * (elementSize + 1))
            || pages(elements, pageBits) > Integer.MAX_VALUE
            || Math.min(elements, 1L << pageBits) > Integer.MAX_VALUE / 64;
    if (elements < 1 || tooMany) {
      throw new FormatException(
          "fixed array geometry",
          "at least 1 element, fewer than 2^31 pages and 2^25 elements in each",
          "elements=" + elements + " pageBits=" + pageBits + " elementSize=" + elementSize);
    }
  }

  private static long pages(long elements, int pageBits) {
    return (elements - 1 >> pageBits) + 1;
  }

  /** Returns whether the data block is divided into pages, each with a checksum. */
  boolean isPaged() {
    return elements > 1L << pageBits;
  }

  /** Returns the number of pages; 1 if not paged. */
  int pages() {
    return (int) pages(elements, pageBits);
  }

  /** Returns the size in bytes of the page bitmap; 0 if not paged. */
  long bitmapSize() {
    return isPaged() ? PageBits.bytes(pages()) : 0;
  }

  /**
   * Returns the size in bytes of the part of the data block before its elements; in a paged array,
   * this includes the page bitmap and the checksum of the prefix.
   */
  long prefixSize() {
    return startSize + (isPaged() ? bitmapSize() + ArrayBlocks.CHECKSUM : 0);
  }

  /** Returns the size in bytes of the entire data block. */
  long dataBlockSize() {
    int checksums = isPaged() ? pages() : 1;
    return prefixSize() + elements * elementSize + (long) checksums * ArrayBlocks.CHECKSUM;
  }

  /** Returns the number of elements in a page. */
  int slots(int page) {
    return (int) Math.min(1L << pageBits, elements - ((long) page << pageBits));
  }

  /** Returns the block of a page; the entire data block if not paged. */
  Block page(int page, long dataAddress) {
    if (!isPaged()) {
      return new Block(dataAddress, dataBlockSize());
    }
    long full = (long) elementSize * slots(0) + ArrayBlocks.CHECKSUM;
    long size = (long) elementSize * slots(page) + ArrayBlocks.CHECKSUM;
    return new Block(dataAddress + prefixSize() + page * full, size);
  }
}
