package io.skerry.datatype;

/**
 * Content of the bits of an element that are not part of its value.
 *
 * @param low content of the bits below the value
 * @param high content of the bits above the value
 * @param inner content of the bits within a floating-point value that are in none of its fields
 */
public record BitPadding(Bit low, Bit high, Bit inner) {
  /** Padding with zeros, the usual case. */
  public static final BitPadding ZEROS = new BitPadding(Bit.ZERO, Bit.ZERO, Bit.ZERO);

  /** Value of a bit. */
  public enum Bit {
    ZERO,
    ONE
  }
}
