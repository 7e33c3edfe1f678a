package io.skerry.format.layout;

import io.skerry.chunk.SectionTable;
import io.skerry.format.block.FileAddress;

/** What a chunked layout says of its chunk index. */
public sealed interface IndexInfo {
  /** The chunk (single) or the index; undefined if nothing is allocated. */
  long address();

  /** The same index at another address. */
  IndexInfo withAddress(long newAddress);

  /** Whether anything is allocated. */
  default boolean isAllocated() {
    return FileAddress.isDefined(address());
  }

  /**
   * Version 1 B-tree, under layout version 3.
   *
   * @param address of the root node
   */
  record BTree1(long address) implements IndexInfo {
    @Override
    public IndexInfo withAddress(long newAddress) {
      return new BTree1(newAddress);
    }
  }

  /**
   * One chunk, no index.
   *
   * @param address of the chunk
   * @param sections its size and sections; zeros if it is filtered or structured and not allocated
   */
  record Single(long address, SectionTable sections) implements IndexInfo {
    @Override
    public IndexInfo withAddress(long newAddress) {
      return new Single(newAddress, sections);
    }
  }

  /**
   * Unfiltered chunks one after the other in index order.
   *
   * @param address of the first
   */
  record Implicit(long address) implements IndexInfo {
    @Override
    public IndexInfo withAddress(long newAddress) {
      return new Implicit(newAddress);
    }
  }

  /**
   * Fixed array.
   *
   * @param pageBits log2 of the elements of a page; larger arrays are paged
   * @param address of its header
   */
  record FixedArray(int pageBits, long address) implements IndexInfo {
    /** What HDF5 uses. */
    public static final int STANDARD_PAGE_BITS = 10;

    @Override
    public IndexInfo withAddress(long newAddress) {
      return new FixedArray(pageBits, newAddress);
    }
  }

  /**
   * Extensible array.
   *
   * @param parameters its geometry
   * @param address of its header
   */
  record ExtensibleArray(ExtensibleArrayParameters parameters, long address) implements IndexInfo {
    @Override
    public IndexInfo withAddress(long newAddress) {
      return new ExtensibleArray(parameters, newAddress);
    }
  }

  /**
   * Version 2 B-tree.
   *
   * @param nodeSize bytes of a node
   * @param splitPercent a node fuller than this is split
   * @param mergePercent a node emptier than this is merged
   * @param address of its header
   */
  record BTree2(long nodeSize, int splitPercent, int mergePercent, long address)
      implements IndexInfo {
    /** As HDF5 makes it. */
    public static BTree2 standard(long address) {
      return new BTree2(2048, 100, 40, address);
    }

    @Override
    public IndexInfo withAddress(long newAddress) {
      return new BTree2(nodeSize, splitPercent, mergePercent, newAddress);
    }
  }
}
