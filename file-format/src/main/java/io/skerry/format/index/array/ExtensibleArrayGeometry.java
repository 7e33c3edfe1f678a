package io.skerry.format.index.array;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Block;
import io.skerry.format.block.Widths;
import io.skerry.format.layout.ExtensibleArrayParameters;

/**
 * How the elements of an extensible array fall into its blocks. The first few stand in the index
 * block. The rest is cut into super blocks, each twice as large as the one before: super block u
 * has 2^(u/2) data blocks of (least elements) 2^((u+1)/2) elements. The data blocks of the first
 * super blocks are addressed from the index block, those of the others from a super block on disk.
 * Data blocks larger than a page are cut into pages.
 *
 * @param parameters as stored
 * @param elementSize bytes of an element
 * @param startSize bytes of a block up to and including the address of the header
 * @param widths of the file
 */
record ExtensibleArrayGeometry(
    ExtensibleArrayParameters parameters, int elementSize, int startSize, Widths widths) {

  /**
   * Where an element stands.
   *
   * @param superBlock number of its super block, -1 for the index block
   * @param dataBlock number of its data block within the super block
   * @param page number of its page within the data block; 0 if unpaged
   * @param first element number of the first element of the page, data block or index block
   */
  record Place(int superBlock, long dataBlock, int page, long first) {}

  /** Greatest number of elements. */
  long capacity() {
    return parameters.indexBlockElements() + startElement(superBlocks());
  }

  /** Number of super blocks, counting those without a block on disk. */
  int superBlocks() {
    return 1 + parameters.maxBits() - Integer.numberOfTrailingZeros(parameters.minElements());
  }

  /** Super blocks whose data blocks are addressed from the index block. */
  int directSuperBlocks() {
    return 2 * Integer.numberOfTrailingZeros(parameters.minPointers());
  }

  /** Data block addresses in the index block. */
  int directDataBlocks() {
    return 2 * (parameters.minPointers() - 1);
  }

  /** Super block addresses in the index block. */
  int indirectSuperBlocks() {
    return superBlocks() - directSuperBlocks();
  }

  /** Data blocks of a super block. */
  long dataBlocks(int superBlock) {
    return 1L << (superBlock / 2);
  }

  /** Elements of each data block of a super block. */
  long dataBlockElements(int superBlock) {
    return (long) parameters.minElements() << ((superBlock + 1) / 2);
  }

  /** Elements, not counting the index block's, before a super block. */
  long startElement(int superBlock) {
    return parameters.minElements() * ((1L << superBlock) - 1);
  }

  /** Number, among the index block's addresses, of the first data block of a super block. */
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

  /** Pages of each data block of a super block; 0 if unpaged. */
  long pages(int superBlock) {
    return isPaged(superBlock) ? dataBlockElements(superBlock) / pageElements() : 0;
  }

  /** Elements of the leaf at a place. */
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

  /** The page's bit among those of its super block. */
  int pageBit(Place place) {
    return Math.toIntExact(place.dataBlock() * pages(place.superBlock()) + place.page());
  }

  /** The block of a page or of an unpaged data block. */
  Block leafBlock(Place place, long dataBlockAddress) {
    return isPaged(place.superBlock())
        ? new Block(
            dataBlockAddress + dataBlockPrefixSize() + place.page() * pageSize(), pageSize())
        : new Block(dataBlockAddress, dataBlockSize(place.superBlock()));
  }

  /** Elements, not counting the index block's, before a data block. */
  long startElement(int superBlock, long dataBlock) {
    return startElement(superBlock) + dataBlock * dataBlockElements(superBlock);
  }

  /**
   * What HDF5 writes as the offset of a data block. For those addressed from the index block it
   * counts all earlier data blocks as if they were as large as this one, which is too much; readers
   * ignore the field.
   */
  long storedOffset(int superBlock, long dataBlock) {
    long earlier = superBlock < directSuperBlocks() ? startDataBlock(superBlock) : 0;
    return startElement(superBlock, earlier + dataBlock);
  }

  /** Bytes of a block offset. */
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

  /** Bytes of the page bitmaps of a super block: whole bytes per data block, bits run on. */
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

  /** Bytes of a paged data block before its first page, checksum included. */
  long dataBlockPrefixSize() {
    return startSize + offsetSize() + ArrayBlocks.CHECKSUM;
  }

  long pageSize() {
    return (long) pageElements() * elementSize + ArrayBlocks.CHECKSUM;
  }

  /** Bytes of a data block, pages included. */
  long dataBlockSize(int superBlock) {
    return isPaged(superBlock)
        ? dataBlockPrefixSize() + pages(superBlock) * pageSize()
        : dataBlockPrefixSize() + dataBlockElements(superBlock) * elementSize;
  }

  /** Refuses a geometry whose sizes would overflow. */
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
