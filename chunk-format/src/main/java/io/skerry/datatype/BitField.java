package io.skerry.datatype;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/**
 * Bits without arithmetic (class 4).
 *
 * @param size bytes per element
 * @param order byte order
 * @param offset lowest bit used
 * @param precision bits used
 * @param padding content of the other bits
 */
public record BitField(int size, Endian order, int offset, int precision, BitPadding padding)
    implements Datatype {
  /** Refuses bits outside the element. */
  public BitField {
    DatatypeChecks.order(order);
    DatatypeChecks.bits(size, offset, precision);
  }

  /** A field that uses all its bits. */
  public static BitField of(int size, Endian order) {
    return new BitField(size, order, 0, 8 * size, BitPadding.ZEROS);
  }

  /** The bits of the element at a byte offset. */
  public BigInteger read(MemorySegment in, long at) {
    return ElementBits.field(ElementBits.read(order, size, in, at), offset, precision);
  }

  @Override
  public String toString() {
    return "bits"
        + 8 * size
        + (size == 1 ? "" : order.suffix())
        + DatatypeChecks.bitSuffix(size, offset, precision);
  }
}
