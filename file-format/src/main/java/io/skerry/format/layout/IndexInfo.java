package io.skerry.format.layout;

import io.skerry.chunk.SectionTable;
import io.skerry.format.block.FileAddress;

/** The chunk index fields of a chunked data layout. */
public sealed interface IndexInfo {
  /**
   * Returns the address of the index or, for a single chunk or an implicit index, of the first
   * chunk; undefined if nothing is allocated.
   */
  long address();

  /** Returns the same index at another address. */
  IndexInfo withAddress(long newAddress);

  /** Returns whether space is allocated. */
  default boolean isAllocated() {
    return FileAddress.isDefined(address());
  }

  /**
   * A version 1 B-tree, for layout versions up to 3.
   *
   * @param address the address of the root node
   */
  record BTree1(long address) implements IndexInfo {
    @Override
    public IndexInfo withAddress(long newAddress) {
      return new BTree1(newAddress);
    }
  }

  /**
   * A single chunk without an index.
   *
   * @param address the address of the chunk
   * @param sections the sizes of the chunk and its sections
   */
  record Single(long address, SectionTable sections) implements IndexInfo {
    @Override
    public IndexInfo withAddress(long newAddress) {
      return new Single(newAddress, sections);
    }
  }

  /**
   * Unfiltered chunks stored contiguously in order of chunk number.
   *
   * @param address the address of the first chunk
   */
  record Implicit(long address) implements IndexInfo {
    @Override
    public IndexInfo withAddress(long newAddress) {
      return new Implicit(newAddress);
    }
  }

  /**
   * A fixed array.
   *
   * @param pageBits log2 of the number of elements per page; larger arrays are paged
   * @param address the address of its header
   */
  record FixedArray(int pageBits, long address) implements IndexInfo {
    /** Page bits that HDF5 uses for chunk indexes. */
    public static final int STANDARD_PAGE_BITS = 10;

    @Override
    public IndexInfo withAddress(long newAddress) {
      return new FixedArray(pageBits, newAddress);
    }
  }

  /**
   * An extensible array.
   *
   * @param parameters its creation parameters
   * @param address the address of its header
   */
  record ExtensibleArray(ExtensibleArrayParameters parameters, long address) implements IndexInfo {
    @Override
    public IndexInfo withAddress(long newAddress) {
      return new ExtensibleArray(parameters, newAddress);
    }
  }

  /**
   * A version 2 B-tree.
   *
   * @param nodeSize the size of a node in bytes
   * @param splitPercent the fill level, in percent, above which a node is split
   * @param mergePercent the fill level, in percent, below which a node is merged
   * @param address the address of the header of the tree
   */
  record BTree2(long nodeSize, int splitPercent, int mergePercent, long address)
      implements IndexInfo {
    /** Returns the parameters that HDF5 uses, with the given address. */
    public static BTree2 standard(long address) {
      return new BTree2(2048, 100, 40, address);
    }

    @Override
    public IndexInfo withAddress(long newAddress) {
      return new BTree2(nodeSize, splitPercent, mergePercent, newAddress);
    }
  }
}
