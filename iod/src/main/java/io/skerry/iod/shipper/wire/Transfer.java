package io.skerry.iod.shipper.wire;

import io.skerry.exception.FormatException;
import io.skerry.iod.object.Crc64;
import java.lang.foreign.MemorySegment;

/** The checksums of messages and bulk data. All ranks of a container use the same constant. */
public enum Transfer {
  /** Messages have no checksums. */
  UNCHECKED,
  /** Messages and bulk data have checksums, which the receiver checks. */
  CHECKED;

  /** Returns the checksum of a payload; 0 if there are no checksums. */
  public long checksum(MemorySegment payload) {
    return this == CHECKED ? Crc64.of(payload) : 0;
  }

  /**
   * Checks a payload that was received.
   *
   * @param expected the checksum in the frame
   * @throws FormatException if the payload was damaged in transit
   */
  public void check(MemorySegment payload, long expected) {
    long actual = checksum(payload);
    if (actual != expected) {
      throw new FormatException(
          "message: checksum of the payload", Long.toHexString(expected), Long.toHexString(actual));
    }
  }
}
