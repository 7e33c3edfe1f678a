package io.skerry.datatype;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/**
 * An integer (class 0).
 *
 * @param size bytes per element
 * @param order byte order
 * @param signedness whether the topmost bit of the value is a sign
 * @param offset lowest bit of the value
 * @param precision bits of the value
 * @param padding content of the other bits
 */
public record FixedPoint(
    int size, Endian order, Signedness signedness, int offset, int precision, BitPadding padding)
    implements Datatype {

  /** Refuses bits outside the element and an order integers do not have. */
  public FixedPoint {
    DatatypeChecks.order(order);
    DatatypeChecks.bits(size, offset, precision);
  }

  /** An integer with zero padding. */
  public FixedPoint(int size, Endian order, Signedness signedness, int offset, int precision) {
    this(size, order, signedness, offset, precision, BitPadding.ZEROS);
  }

  /** An integer that uses all its bits. */
  public static FixedPoint of(int size, Signedness signedness, Endian order) {
    return new FixedPoint(size, order, signedness, 0, 8 * size);
  }

  /** The same integer in another byte order. */
  public FixedPoint withOrder(Endian newOrder) {
    return new FixedPoint(size, newOrder, signedness, offset, precision, padding);
  }

  /** The value of the element at a byte offset, whatever its width. */
  public BigInteger read(MemorySegment in, long at) {
    BigInteger bits = ElementBits.field(ElementBits.read(order, size, in, at), offset, precision);
    boolean negative = signedness == Signedness.SIGNED && bits.testBit(precision - 1);
    return negative ? bits.subtract(BigInteger.ONE.shiftLeft(precision)) : bits;
  }

  /**
   * Stores a value in the element at a byte offset, bits outside the value as the padding says. A
   * value that the precision has no room for loses its high bits.
   */
  public void write(BigInteger value, MemorySegment out, long at) {
    BigInteger bits = ElementBits.field(value, 0, precision).shiftLeft(offset);
    int above = offset + precision;
    if (padding.low() == BitPadding.Bit.ONE) {
      bits = bits.or(ElementBits.ones(offset));
    }
    if (padding.high() == BitPadding.Bit.ONE) {
      bits = bits.or(ElementBits.ones(8 * size - above).shiftLeft(above));
    }
    ElementBits.write(bits, order, size, out, at);
  }

  /** Returns whether all bits of the element belong to the value. */
  public boolean isWhole() {
    return precision == 8 * size;
  }

  @Override
  public String toString() {
    return (signedness == Signedness.SIGNED ? "i" : "u")
        + 8 * size
        + (size == 1 ? "" : order.suffix())
        + DatatypeChecks.bitSuffix(size, offset, precision);
  }
}
