package io.skerry.format.index.array;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The data blocks of one super block. Those of the direct super blocks stand in the index block;
 * the others have a block of their own. Never changed after it is shared.
 *
 * @param number which super block
 * @param address of its block, undefined for a direct one
 * @param dataBlocks addresses of its data blocks, undefined where there is none
 * @param pages written pages, bit {@code dataBlock * pages per data block + page}; empty if unpaged
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
