package io.skerry.format.index.array;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;

/**
 * How the elements of a fixed array fall into pages, and where those lie in its data block.
 *
 * @param elements number of elements
 * @param pageBits log2 of the elements of a page; an array of more than one page is paged
 * @param elementSize bytes of an element
 * @param startSize bytes of a block before its content
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

  /** Whether pages have checksums of their own. */
  boolean isPaged() {
    return elements > 1L << pageBits;
  }

  /** Number of pages; 1 if unpaged. */
  int pages() {
    return (int) pages(elements, pageBits);
  }

  /** Bytes of the page bitmap; 0 if unpaged. */
  long bitmapSize() {
    return isPaged() ? PageBits.bytes(pages()) : 0;
  }

  /** Bytes of the data block before its elements, in a paged one with the checksum. */
  long prefixSize() {
    return startSize + (isPaged() ? bitmapSize() + ArrayBlocks.CHECKSUM : 0);
  }

  /** Bytes of the whole data block. */
  long dataBlockSize() {
    int checksums = isPaged() ? pages() : 1;
    return prefixSize() + elements * elementSize + (long) checksums * ArrayBlocks.CHECKSUM;
  }

  /** Elements of a page. */
  int slots(int page) {
    return (int) Math.min(1L << pageBits, elements - ((long) page << pageBits));
  }

  /** Where a page stands: the whole data block if unpaged. */
  Block page(int page, long dataAddress) {
    if (!isPaged()) {
      return new Block(dataAddress, dataBlockSize());
    }
    long full = (long) elementSize * slots(0) + ArrayBlocks.CHECKSUM;
    long size = (long) elementSize * slots(page) + ArrayBlocks.CHECKSUM;
    return new Block(dataAddress + prefixSize() + page * full, size);
  }
}
