package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;

/**
 * The flags of an object header.
 *
 * <pre>
 * bit 0-1  size of the first chunk, not used here
 *     2-3  creation order of attributes: tracked, indexed
 *     4    header contains the attribute counts at which attribute storage changes
 *     5    times are stored
 * </pre>
 *
 * @param attributeOrder the creation order of attributes
 * @param phaseChange whether the header stores the attribute counts at which attribute storage
 *     changes
 * @param times whether the header stores times
 */
public record HeaderFlags(CreationOrder attributeOrder, Switch phaseChange, Switch times) {
  private static final int ORDER_AT = 2;
  private static final int PHASE_CHANGE = 1 << 4;
  private static final int TIMES = 1 << 5;
  private static final int ALL = 3 << ORDER_AT | PHASE_CHANGE | TIMES;

  /** The encoding: u8. */
  static final ValueCodec<HeaderFlags> CODEC =
      ValueCodec.of(HeaderFlags::decode, (flags, out) -> out.u8(flags.bits()));

  /**
   * Returns the flags of a header that stores times, the default of the HDF5 library. Local,
   * thread-safe; does not fail.
   */
  public static HeaderFlags of(CreationOrder attributeOrder) {
    return new HeaderFlags(attributeOrder, Switch.OFF, Switch.ON);
  }

  private static HeaderFlags decode(ByteReader in) {
    int bits = in.u8();
    if ((bits & ~ALL) != 0) {
      throw in.fault("object header flags", "bits 2 to 5", "0x" + Integer.toHexString(bits));
    }
    return new HeaderFlags(
        CreationOrder.ofBits(bits >> ORDER_AT & 3, in),
        (bits & PHASE_CHANGE) == 0 ? Switch.OFF : Switch.ON,
        (bits & TIMES) == 0 ? Switch.OFF : Switch.ON);
  }

  private int bits() {
    return attributeOrder.bits() << ORDER_AT
        | (phaseChange == Switch.ON ? PHASE_CHANGE : 0)
        | (times == Switch.ON ? TIMES : 0);
  }
}
