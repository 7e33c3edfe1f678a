package io.skerry.format.index.array;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The data block addresses of one super block. Those of direct super blocks are stored in the index
 * block; every other super block has a separate block on disk. Must not be changed once an index
 * refers to it.
 *
 * @param number the number of the super block
 * @param address the address of its block, undefined for a direct super block
 * @param dataBlocks the addresses of its data blocks, undefined where there is none
 * @param pages the bitmap of written pages; the bit of a page is {@code dataBlock * pages per data
 *     block + page}; empty if not paged
 */
record ExtensibleArraySuperBlock(int number, long address, long[] dataBlocks, BitSet pages) {

  ExtensibleArraySuperBlock copy() {
    return new ExtensibleArraySuperBlock(
        number, address, dataBlocks.clone(), (BitSet) pages.clone());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExtensibleArraySuperBlock(int n, long a, long[] d, BitSet p)
        && n == number
        && a == address
        && Arrays.equals(d, dataBlocks)
        && p.equals(pages);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(address) + Arrays.hashCode(dataBlocks);
  }
}
