package io.skerry.datatype;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/**
 * A time (class 2); old, seldom written, kept as raw bytes.
 *
 * @param size bytes per element
 * @param order byte order
 * @param precision bits used
 */
public record Time(int size, Endian order, int precision) implements Datatype {
  /** Refuses bits outside the element. */
  public Time {
    DatatypeChecks.order(order);
    DatatypeChecks.bits(size, 0, precision);
  }

  /** The bits of the element at a byte offset. */
  public BigInteger read(MemorySegment in, long at) {
    return ElementBits.field(ElementBits.read(order, size, in, at), 0, precision);
  }

  @Override
  public String toString() {
    return "time" + 8 * size + order.suffix() + DatatypeChecks.bitSuffix(size, 0, precision);
  }
}
