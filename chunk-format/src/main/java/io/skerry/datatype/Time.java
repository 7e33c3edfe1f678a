package io.skerry.datatype;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/**
 * A time (class 2). This datatype class is obsolete.
 *
 * @param size the size of an element in bytes
 * @param order the byte order
 * @param precision the number of bits used, from bit 0
 */
public record Time(int size, Endian order, int precision) implements Datatype {
  /**
   * Creates a time type. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the size or the precision is below 1, the bits are not
   *     within the element, the precision exceeds 65535, or the byte order is {@link Endian#VAX}
   */
  public Time {
    DatatypeChecks.order(order);
    DatatypeChecks.bits(size, 0, precision);
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
    return ElementBits.read(order, size, in, at, 0, precision);
  }

  @Override
  public String toString() {
    return "time" + 8L * size + order.suffix() + DatatypeChecks.bitSuffix(size, 0, precision);
  }
}
