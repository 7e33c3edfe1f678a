package io.skerry.datatype;

/**
 * What the bits of an element hold that do not belong to its value.
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

  public static BitPadding ofBits(int bits) {
    return new BitPadding(bit(bits), bit(bits >> 1), bit(bits >> 2));
  }

  public int bits() {
    return low.ordinal() | high.ordinal() << 1 | inner.ordinal() << 2;
  }

  private static Bit bit(int bits) {
    return (bits & 1) == 0 ? Bit.ZERO : Bit.ONE;
  }
}
