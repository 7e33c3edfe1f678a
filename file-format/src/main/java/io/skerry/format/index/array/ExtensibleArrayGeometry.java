package io.skerry.format.index.array;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Block;
import io.skerry.format.block.Widths;
import io.skerry.format.layout.ExtensibleArrayParameters;

/**
 * The division of an extensible array into blocks. The first elements are in the index block. The
 * others are divided into super blocks, each with twice as many elements as the previous one: super
 * block u has 2^(u/2) data blocks of (minimum elements) * 2^((u+1)/2) elements, with integer
 * division. The index block contains the addresses of the data blocks of the first super blocks;
 * the addresses of the others are in super blocks on disk. Data blocks larger than a page are
 * divided into pages. Source: HDF5 File Format Specification 3.0, section VII.D, "The Extensible
 * Array Index".
 *
 * @param parameters the parameters as stored
 * @param elementSize the size of an element in bytes
 * @param startSize the size in bytes of the start of a block, up to and including the header
 *     address
 * @param widths the sizes of offsets and lengths in the file
 */
record ExtensibleArrayGeometry(
    ExtensibleArrayParameters parameters, int elementSize, int startSize, Widths widths) {

  /**
   * The location of an element.
   *
   * @param superBlock the number of its super block, -1 for the index block
   * @param dataBlock the number of its data block in the super block
   * @param page the number of its page in the data block; 0 if not paged
   * @param first the number of the first element of the page, data block or index block
   */
  record Place(int superBlock, long dataBlock, int page, long first) {}

  /** Returns the maximum number of elements, at most 2^63-1. */
  long capacity() {
    long inBlocks = startElement(superBlocks());
    int inIndexBlock = parameters.indexBlockElements();
    return inIndexBlock + Math.min(inBlocks, Long.MAX_VALUE - inIndexBlock);
  }

  /** Returns the number of super blocks, including those without a block on disk. */
  int superBlocks() {
    return 1 + parameters.maxBits() - Integer.numberOfTrailingZeros(parameters.minElements());
  }

  /** Returns the number of super blocks whose data block addresses are in the index block. */
  int directSuperBlocks() {
    return 2 * Integer.numberOfTrailingZeros(parameters.minPointers());
  }

  /** Returns the number of data block addresses in the index block. */
  int directDataBlocks() {
    return 2 * (parameters.minPointers() - 1);
  }

  /** Returns the number of super block addresses in the index block. */
  int indirectSuperBlocks() {
    return superBlocks() - directSuperBlocks();
  }

  /** Returns the number of data blocks in a super block. */
  long dataBlocks(int superBlock) {
    return 1L << (superBlock / 2);
  }

  /** Returns the number of elements in each data block of a super block. */
  long dataBlockElements(int superBlock) {
    return (long) parameters.minElements() << ((superBlock + 1) / 2);
  }

  /** Returns the number of elements before a super block, not counting those in the index block. */
  long startElement(int superBlock) {
    return parameters.minElements() * ((1L << superBlock) - 1);
  }

  /**
   * Returns the position of the first data block of a super block among the addresses in the index
   * block.
   */
  int startDataBlock(int superBlock) {
    int blocks = 0;
    for (int u = 0; u < superBlock; u++) {
      blocks += (int) dataBlocks(u);
    }
    return blocks;
  }

  int pageElements() {
    return 1 << parameters.pageBits();
  }

  boolean isPaged(int superBlock) {
    return superBlock >= 0 && dataBlockElements(superBlock) > pageElements();
  }

  /** Returns the number of pages in each data block of a super block; 0 if not paged. */
  long pages(int superBlock) {
    return isPaged(superBlock) ? dataBlockElements(superBlock) / pageElements() : 0;
  }

  /** Returns the number of elements in the leaf at a location. */
  int slots(Place place) {
    if (place.superBlock() < 0) {
      return parameters.indexBlockElements();
    }
    return isPaged(place.superBlock())
        ? pageElements()
        : (int) dataBlockElements(place.superBlock());
  }

  Place locate(long element) {
    if (element < 0 || element >= capacity()) {
      throw new UnsupportedFeatureException(
          "a chunk beyond what the extensible array can hold: capacity="
              + capacity()
              + " actual="
              + element,
          "chunk index");
    }
    int inIndexBlock = parameters.indexBlockElements();
    if (element < inIndexBlock) {
      return new Place(-1, 0, 0, 0);
    }
    long rest = element - inIndexBlock;
    int superBlock = 63 - Long.numberOfLeadingZeros(rest / parameters.minElements() + 1);
    long within = rest - startElement(superBlock);
    long size = dataBlockElements(superBlock);
    long first = startElement(superBlock, within / size) + inIndexBlock;
    int page = isPaged(superBlock) ? (int) (within % size / pageElements()) : 0;
    return new Place(superBlock, within / size, page, first + (long) page * pageElements());
  }

  /** Returns the index of a page's bit in the page bitmaps of its super block. */
  int pageBit(Place place) {
    return Math.toIntExact(place.dataBlock() * pages(place.superBlock()) + place.page());
  }

  /** Returns the file space of a page, or of a data block without pages. */
  Block leafBlock(Place place, long dataBlockAddress) {
    return isPaged(place.superBlock())
        ? new Block(
            dataBlockAddress + dataBlockPrefixSize() + place.page() * pageSize(), pageSize())
        : new Block(dataBlockAddress, dataBlockSize(place.superBlock()));
  }

  /** Returns the number of elements before a data block, not counting those in the index block. */
  long startElement(int superBlock, long dataBlock) {
    return startElement(superBlock) + dataBlock * dataBlockElements(superBlock);
  }

  /**
   * Returns the block offset that HDF5 stores in a data block. The correct offset is the start of
   * the super block plus the sizes of the earlier data blocks in the super block. For a data block
   * whose address is in the index block, HDF5 instead adds the size of this data block once for
   * every earlier data block in the array. The stored number is therefore too large, except in the
   * first super block. The HDF5 library does not use the field when it reads a block.
   */
  long storedOffset(int superBlock, long dataBlock) {
    long earlier = superBlock < directSuperBlocks() ? startDataBlock(superBlock) : 0;
    return startElement(superBlock, earlier + dataBlock);
  }

  /** Returns the size in bytes of a block offset. */
  int offsetSize() {
    return (parameters.maxBits() + 7) / 8;
  }

  int headerSize() {
    return 12 + 6 * widths.length() + widths.offset() + ArrayBlocks.CHECKSUM;
  }

  long indexBlockSize() {
    return startSize
        + (long) parameters.indexBlockElements() * elementSize
        + (long) (directDataBlocks() + indirectSuperBlocks()) * widths.offset()
        + ArrayBlocks.CHECKSUM;
  }

  /**
   * Returns the size in bytes of the page bitmaps of a super block. A whole number of bytes is
   * reserved for each data block, but the bits of consecutive data blocks are contiguous, so
   * trailing bytes may be unused.
   */
  long bitmapSize(int superBlock) {
    return isPaged(superBlock) ? dataBlocks(superBlock) * PageBits.bytes(pages(superBlock)) : 0;
  }

  long superBlockSize(int superBlock) {
    return startSize
        + offsetSize()
        + bitmapSize(superBlock)
        + dataBlocks(superBlock) * widths.offset()
        + ArrayBlocks.CHECKSUM;
  }

  /**
   * Returns the size in bytes of the part of a paged data block before its first page, including
   * its checksum.
   */
  long dataBlockPrefixSize() {
    return (long) startSize + offsetSize() + ArrayBlocks.CHECKSUM;
  }

  long pageSize() {
    return (long) pageElements() * elementSize + ArrayBlocks.CHECKSUM;
  }

  /** Returns the size in bytes of a data block, including its pages. */
  long dataBlockSize(int superBlock) {
    return isPaged(superBlock)
        ? dataBlockPrefixSize() + pages(superBlock) * pageSize()
        : dataBlockPrefixSize() + dataBlockElements(superBlock) * elementSize;
  }

  /** Returns this geometry after checking that its sizes do not overflow. */
  ExtensibleArrayGeometry checked() {
    int largest = superBlocks() - 1;
    if (dataBlockElements(largest) > Long.MAX_VALUE / (4L * elementSize)
        || pageElements() > Integer.MAX_VALUE / 64) {
      throw new FormatException(
          "extensible array geometry", "data blocks below 2^61 bytes", parameters);
    }
    return this;
  }
}
