package io.skerry.datatype;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/**
 * An integer (class 0).
 *
 * @param size the size of an element in bytes
 * @param order the byte order
 * @param signedness the signedness; signed integers are in two's complement
 * @param offset the position of the lowest bit of the value, counted from the least significant bit
 * @param precision the number of bits of the value
 * @param padding the content of the other bits
 */
public record FixedPoint(
    int size, Endian order, Signedness signedness, int offset, int precision, BitPadding padding)
    implements Datatype {

  /**
   * Creates an integer type. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the size or the precision is below 1, the bits are not
   *     within the element, the offset or the precision exceeds 65535, or the byte order is {@link
   *     Endian#VAX}
   */
  public FixedPoint {
    DatatypeChecks.order(order);
    DatatypeChecks.bits(size, offset, precision);
  }

  /**
   * Creates an integer type with zero padding. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the size or the precision is below 1, the bits are not
   *     within the element, the offset or the precision exceeds 65535, or the byte order is {@link
   *     Endian#VAX}
   */
  public FixedPoint(int size, Endian order, Signedness signedness, int offset, int precision) {
    this(size, order, signedness, offset, precision, BitPadding.ZEROS);
  }

  /**
   * Returns an integer type that uses all bits of its element. Local, thread-safe.
   *
   * @param size the size of an element in bytes, 1 to 8191
   * @throws IllegalArgumentException if the size is out of range, or the byte order is {@link
   *     Endian#VAX}
   */
  public static FixedPoint of(int size, Signedness signedness, Endian order) {
    return new FixedPoint(size, order, signedness, 0, DatatypeChecks.wholeBits(size));
  }

  /**
   * Returns this type with a different byte order. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the byte order is {@link Endian#VAX}
   */
  public FixedPoint withOrder(Endian newOrder) {
    return new FixedPoint(size, newOrder, signedness, offset, precision, padding);
  }

  /**
   * Returns the value of an element of any width. Local, thread-safe.
   *
   * @param in the memory that contains the element
   * @param at the offset of the element in {@code in}, in bytes
   * @throws IndexOutOfBoundsException if the element is not within {@code in}
   * @throws IllegalStateException if the memory is no longer accessible
   * @throws WrongThreadException if only another thread may access the memory
   */
  public BigInteger read(MemorySegment in, long at) {
    BigInteger bits = ElementBits.read(order, size, in, at, offset, precision);
    boolean negative = signedness == Signedness.SIGNED && bits.testBit(precision - 1);
    return negative ? bits.subtract(BigInteger.ONE.shiftLeft(precision)) : bits;
  }

  /**
   * Writes a value to an element and sets the bits outside the value according to the padding. If
   * the value exceeds the precision, its high bits are dropped. If the padding sets the bits above
   * the value, the method needs heap memory in proportion to the size of the element; if the heap
   * is insufficient, it throws an {@link OutOfMemoryError}. Local, thread-safe.
   *
   * @param value the value
   * @param out the memory to write to
   * @param at the offset of the element in {@code out}, in bytes
   * @throws IndexOutOfBoundsException if the element is not within {@code out}; nothing is then
   *     written
   * @throws ArithmeticException if the padding sets the bits above the value and the element has
   *     2^28 bytes or more
   * @throws IllegalArgumentException if the memory is read-only
   * @throws IllegalStateException if the memory is no longer accessible
   * @throws WrongThreadException if only another thread may access the memory
   */
  public void write(BigInteger value, MemorySegment out, long at) {
    BigInteger bits = ElementBits.field(value, 0, precision).shiftLeft(offset);
    int above = offset + precision;
    if (padding.low() == BitPadding.Bit.ONE) {
      bits = bits.or(ElementBits.ones(offset));
    }
    if (padding.high() == BitPadding.Bit.ONE) {
      bits = bits.or(ElementBits.ones(Math.toIntExact(8L * size - above)).shiftLeft(above));
    }
    ElementBits.write(bits, order, size, out, at);
  }

  /**
   * Returns whether all bits of the element belong to the value. Local, thread-safe; does not fail.
   */
  public boolean isWhole() {
    return precision == 8L * size;
  }

  @Override
  public String toString() {
    return (signedness == Signedness.SIGNED ? "i" : "u")
        + 8L * size
        + (size == 1 ? "" : order.suffix())
        + DatatypeChecks.bitSuffix(size, offset, precision);
  }
}
