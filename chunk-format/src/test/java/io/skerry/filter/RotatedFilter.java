package io.skerry.filter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** A filter that rotates the bits of each byte, and that is found only as a service. */
public final class RotatedFilter implements Filter {
  static final int ID = 41_000;

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "rotated";
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    return Optional.of(rotated(in, spec.clientData()[0]));
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    return rotated(in, 8 - spec.clientData()[0]);
  }

  private static MemorySegment rotated(MemorySegment in, int bits) {
    byte[] bytes = in.toArray(ValueLayout.JAVA_BYTE);
    for (int i = 0; i < bytes.length; i++) {
      int value = bytes[i] & 0xff;
      bytes[i] = (byte) (value << bits | value >>> (8 - bits));
    }
    return MemorySegment.ofArray(bytes);
  }
}
