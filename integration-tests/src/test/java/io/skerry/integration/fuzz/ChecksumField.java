package io.skerry.integration.fuzz;

import io.skerry.chunk.bytes.Lookup3;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A checksum in a file.
 *
 * @param from offset of the first byte that it covers
 * @param to offset after the last byte that it covers
 * @param at offset of its four bytes, which count as zero if it covers them
 */
record ChecksumField(Form form, int from, int to, int at) {
  /** The algorithm. */
  enum Form {
    LOOKUP3,
    FLETCHER32
  }

  boolean covers(int place) {
    return from <= place && place < to;
  }

  boolean isRight(byte[] file) {
    return sum(file) == (int) sumField().get(file);
  }

  void mend(byte[] file) {
    sumField().set(file, sum(file));
  }

  private Field sumField() {
    return new Field("checksum", FieldKind.UNKNOWN, at, 4);
  }

  private int sum(byte[] file) {
    byte[] covered = Arrays.copyOfRange(file, from, to);
    if (covers(at)) {
      Arrays.fill(covered, at - from, at - from + 4, (byte) 0);
    }
    return switch (form) {
      case LOOKUP3 -> Lookup3.checksum(MemorySegment.ofArray(covered));
      case FLETCHER32 -> fletcher(covered);
    };
  }

  /** Returns the Fletcher-32 checksum as the format specification defines it. */
  private static int fletcher(byte[] data) {
    long first = 0;
    long second = 0;
    for (int i = 0; i < data.length; i += 2) {
      int low = i + 1 < data.length ? data[i + 1] & 0xff : 0;
      first = (first + ((data[i] & 0xff) << 8 | low)) % 65535;
      second = (second + first) % 65535;
    }
    return (int) (second << 16 | first);
  }
}
