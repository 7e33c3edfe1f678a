package io.skerry.datatype;

/**
 * The content of the bits of an element that are not part of its value.
 *
 * @param low the content of the bits below the value
 * @param high the content of the bits above the value
 * @param inner the content of the bits within a floating-point value that are in none of its fields
 */
public record BitPadding(Bit low, Bit high, Bit inner) {
  /** The usual padding: zeros. */
  public static final BitPadding ZEROS = new BitPadding(Bit.ZERO, Bit.ZERO, Bit.ZERO);

  /** The value of a bit. */
  public enum Bit {
    ZERO,
    ONE
  }
}
