package io.skerry.format.layout;

import io.skerry.exception.FormatException;

/**
 * Creation parameters of an extensible array. Source: HDF5 File Format Specification 3.0, section
 * VII.D, "The Extensible Array Index".
 *
 * @param maxBits the number of bits of the largest element number, which determines the number of
 *     super blocks
 * @param indexBlockElements the number of elements in the index block
 * @param minPointers the minimum number of data block addresses in a super block; a power of two
 * @param minElements the number of elements in the smallest data block; a power of two
 * @param pageBits log2 of the number of elements per page; larger data blocks are paged
 */
public record ExtensibleArrayParameters(
    int maxBits, int indexBlockElements, int minPointers, int minElements, int pageBits) {
  /** Parameters that HDF5 uses for chunk indexes: 32, 4, 4, 16, 10. */
  public static final ExtensibleArrayParameters STANDARD =
      new ExtensibleArrayParameters(32, 4, 4, 16, 10);

  public ExtensibleArrayParameters {
    check("extensible array: bits of the greatest index", maxBits, 1, 62);
    check("extensible array: elements in the index block", indexBlockElements, 1, 255);
    check("extensible array: least data block addresses", minPointers, 2, 128);
    check("extensible array: least data block elements", minElements, 1, 128);
    check("extensible array: bits of a page", pageBits, 1, 30);
    powerOfTwo("extensible array: least data block addresses", minPointers);
    powerOfTwo("extensible array: least data block elements", minElements);
    int superBlocks = 1 + maxBits - Integer.numberOfTrailingZeros(minElements);
    int direct = 2 * Integer.numberOfTrailingZeros(minPointers);
    // The page bitmaps are stored in super blocks, so data blocks without a super block cannot be
    // paged.
    if (superBlocks < direct || minElements * minPointers > 1 << pageBits) {
      throw new FormatException(
          "extensible array geometry",
          "room for the super blocks, pages larger than the data blocks of the index block",
          "maxBits="
              + maxBits
              + " minPointers="
              + minPointers
              + " minElements="
              + minElements
              + " pageBits="
              + pageBits);
    }
  }

  private static void check(String field, int value, int low, int high) {
    if (value < low || value > high) {
      throw new FormatException(field, low + ".." + high, value);
    }
  }

  private static void powerOfTwo(String field, int value) {
    if (Integer.bitCount(value) != 1) {
      throw new FormatException(field, "a power of two", value);
    }
  }
}
