package io.skerry.datatype;

/**
 * Content of the bits of an element that do not belong to its value.
 *
 * @param low bits below the value
 * @param high bits above the value
 * @param inner bits of a floating-point value that belong to none of its fields
 */
public record BitPadding(Bit low, Bit high, Bit inner) {
  /** All zero: the usual. */
  public static final BitPadding ZEROS = new BitPadding(Bit.ZERO, Bit.ZERO, Bit.ZERO);

  /** One bit. */
  public enum Bit {
    ZERO,
    ONE
  }
}
