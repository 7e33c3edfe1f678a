package io.skerry.datatype;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/**
 * A floating-point number (class 1). Bit positions are counted from the lowest bit of the element.
 *
 * @param size the size of an element in bytes
 * @param order the byte order
 * @param padding the content of the bits outside the fields
 * @param normalization the normalization of the mantissa
 * @param signPosition the position of the sign bit
 * @param offset the position of the lowest bit of the value
 * @param precision the number of bits of the value
 * @param exponentPosition the position of the lowest bit of the exponent
 * @param exponentSize the number of bits of the exponent
 * @param mantissaPosition the position of the lowest bit of the mantissa
 * @param mantissaSize the number of bits of the mantissa
 * @param bias the exponent bias, 0 to 2^32-1
 */
public record FloatingPoint(
    int size,
    Endian order,
    BitPadding padding,
    Normalization normalization,
    int signPosition,
    int offset,
    int precision,
    int exponentPosition,
    int exponentSize,
    int mantissaPosition,
    int mantissaSize,
    long bias)
    implements Datatype {

  /**
   * The normalization of the mantissa. The constants are in the order of their codes in the file
   * format.
   */
  public enum Normalization {
    NONE,
    /** The highest mantissa bit is always set and is stored. */
    MSB_SET,
    /** The highest mantissa bit is always set and is not stored. */
    MSB_IMPLIED
  }

  /**
   * Creates a floating-point type. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the value or a field is not within the element, the size of
   *     the element, the value or a field is below 1, a position or size exceeds the limit of the
   *     format (65535 for the value, 255 for its fields), or the bias is out of range
   */
  public FloatingPoint {
    DatatypeChecks.bits(size, offset, precision);
    field("exponent", size, exponentPosition, exponentSize);
    field("mantissa", size, mantissaPosition, mantissaSize);
    field("sign", size, signPosition, 1);
    if (bias < 0 || bias > 0xffffffffL) {
      throw new IllegalArgumentException("exponent bias is a u32: bias=" + bias);
    }
  }

  private static void field(String name, int size, int position, int bits) {
    if (position < 0 || bits < 1 || position > 255 || bits > 255 || position + bits > 8L * size) {
      throw new IllegalArgumentException(
          name
              + " outside the element or beyond u8: size="
              + size
              + " position="
              + position
              + " bits="
              + bits);
    }
  }

  /**
   * Returns a type with the layout of IEEE 754: mantissa in the low bits, exponent above it, sign
   * on top, implied leading bit. Local, thread-safe.
   *
   * @param size the size of an element in bytes
   * @param mantissaBits the number of bits of the mantissa, without the implied bit
   * @param exponentBits the number of bits of the exponent, 1 to 33
   * @throws IllegalArgumentException if the fields do not fit in the element, the mantissa does not
   *     have 1 to 255 bits, the exponent does not have 1 to 33 bits, or the two together have more
   *     than 255 bits
   */
  public static FloatingPoint ieee(int size, int mantissaBits, int exponentBits, Endian order) {
    // The bias of a longer exponent exceeds the u32 in which the format stores it.
    if (exponentBits < 1 || exponentBits > 33) {
      throw new IllegalArgumentException(
          "an IEEE exponent has 1 to 33 bits: exponentBits=" + exponentBits);
    }
    int sign = mantissaBits + exponentBits;
    return new FloatingPoint(
        size,
        order,
        BitPadding.ZEROS,
        Normalization.MSB_IMPLIED,
        sign,
        0,
        sign + 1,
        mantissaBits,
        exponentBits,
        0,
        mantissaBits,
        (1L << (exponentBits - 1)) - 1);
  }

  /** Returns this type with a different byte order. Local, thread-safe; does not fail. */
  public FloatingPoint withOrder(Endian newOrder) {
    return new FloatingPoint(
        size,
        newOrder,
        padding,
        normalization,
        signPosition,
        offset,
        precision,
        exponentPosition,
        exponentSize,
        mantissaPosition,
        mantissaSize,
        bias);
  }

  /**
   * Returns whether this type is IEEE 754 binary16, binary32 or binary64 with zero padding, in
   * little-endian or big-endian byte order. Local, thread-safe; does not fail.
   */
  public boolean isIeee() {
    FloatingPoint little = withOrder(Endian.LITTLE);
    return order != Endian.VAX && (little.equals(F32) || little.equals(F64) || little.equals(F16));
  }

  /**
   * Returns all bits of an element as one integer, at least 0; bit 0 is the least significant. The
   * method needs twice as much heap memory as the element; if the heap is insufficient, it throws
   * an {@link OutOfMemoryError}. Local, thread-safe.
   *
   * @param in the memory that contains the element
   * @param at the offset of the element in {@code in}, in bytes
   * @return the bits, from 0 to 2^(8 x size) - 1
   * @throws IndexOutOfBoundsException if the element is not within {@code in}
   * @throws ArithmeticException if bit 2^31 - 1 or a higher bit is set, which only elements of 2^28
   *     bytes or more have
   * @throws IllegalStateException if the memory is no longer accessible
   * @throws WrongThreadException if only another thread may access the memory
   */
  public BigInteger readBits(MemorySegment in, long at) {
    return ElementBits.read(order, size, in, at);
  }

  /**
   * Writes all bits of an element. The method needs as much heap memory as {@code bits}; if the
   * heap is insufficient, it throws an {@link OutOfMemoryError}. Local, thread-safe.
   *
   * @param bits the bits as one integer, from 0 to 2^(8 x size) - 1; not checked
   * @param out the memory to write to
   * @param at the offset of the element in {@code out}, in bytes
   * @throws IndexOutOfBoundsException if the element is not within {@code out}; nothing is then
   *     written
   * @throws IllegalArgumentException if the memory is read-only
   * @throws IllegalStateException if the memory is no longer accessible
   * @throws WrongThreadException if only another thread may access the memory
   */
  public void writeBits(BigInteger bits, MemorySegment out, long at) {
    ElementBits.write(bits, order, size, out, at);
  }

  @Override
  public String toString() {
    String name = isIeee() ? "" : "(e" + exponentSize + "m" + mantissaSize + ")";
    return "f" + 8L * size + order.suffix() + name;
  }
}
