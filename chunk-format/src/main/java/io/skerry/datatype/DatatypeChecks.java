package io.skerry.datatype;

/** Argument checks and name suffixes that several datatype classes share. */
final class DatatypeChecks {
  private DatatypeChecks() {}

  static void size(int size) {
    if (size < 1) {
      throw new IllegalArgumentException("datatype size must be positive: size=" + size);
    }
  }

  /**
   * Returns the number of bits in an element: the precision of a type that uses all of them.
   *
   * @param size the size of the element in bytes
   * @throws IllegalArgumentException if the size is not positive, or the number of bits exceeds
   *     65535
   */
  static int wholeBits(int size) {
    size(size);
    if (size > 0xffff / 8) {
      throw new IllegalArgumentException(
          "precision exceeds 65535 bits: size=" + size + " limit=" + 0xffff / 8);
    }
    return 8 * size;
  }

  static void order(Endian order) {
    if (order == Endian.VAX) {
      throw new IllegalArgumentException("only floating point has VAX order: order=" + order);
    }
  }

  static void bits(int size, int offset, int precision) {
    size(size);
    if (offset < 0
        || precision < 1
        || offset > 0xffff
        || precision > 0xffff
        || offset + (long) precision > 8L * size) {
      throw new IllegalArgumentException(
          "bits outside the element or beyond u16: size="
              + size
              + " offset="
              + offset
              + " precision="
              + precision);
    }
  }

  static String bitSuffix(int size, int offset, int precision) {
    return precision == 8L * size ? "" : "(offset=" + offset + ",precision=" + precision + ")";
  }
}
