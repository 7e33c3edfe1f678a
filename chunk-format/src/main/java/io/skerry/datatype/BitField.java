package io.skerry.datatype;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/**
 * A bit field: a sequence of bits without a numeric meaning (class 4).
 *
 * @param size the size of an element in bytes
 * @param order the byte order
 * @param offset the position of the lowest bit used, counted from the least significant bit
 * @param precision the number of bits used
 * @param padding the content of the other bits
 */
public record BitField(int size, Endian order, int offset, int precision, BitPadding padding)
    implements Datatype {
  /**
   * Creates a bit field. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the size or the precision is below 1, the bits are not
   *     within the element, the offset or the precision exceeds 65535, or the byte order is {@link
   *     Endian#VAX}
   */
  public BitField {
    DatatypeChecks.order(order);
    DatatypeChecks.bits(size, offset, precision);
  }

  /**
   * Returns a bit field that uses all bits of its element. Local, thread-safe.
   *
   * @param size the size of an element in bytes, 1 to 8191
   * @throws IllegalArgumentException if the size is out of range, or the byte order is {@link
   *     Endian#VAX}
   */
  public static BitField of(int size, Endian order) {
    return new BitField(size, order, 0, DatatypeChecks.wholeBits(size), BitPadding.ZEROS);
  }

  /**
   * Returns the bits of an element as an unsigned integer. Local, thread-safe.
   *
   * @param in the memory that contains the element
   * @param at the offset of the element in {@code in}, in bytes
   * @throws IndexOutOfBoundsException if the element is not within {@code in}
   * @throws IllegalStateException if the memory is no longer accessible
   * @throws WrongThreadException if only another thread may access the memory
   */
  public BigInteger read(MemorySegment in, long at) {
    return ElementBits.read(order, size, in, at, offset, precision);
  }

  @Override
  public String toString() {
    return "bits"
        + 8L * size
        + (size == 1 ? "" : order.suffix())
        + DatatypeChecks.bitSuffix(size, offset, precision);
  }
}
