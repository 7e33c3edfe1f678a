package io.skerry.integration.fuzz;

import io.skerry.chunk.bytes.Lookup3;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The blocks of a file that end with a lookup3 checksum of their bytes. They are found without
 * knowledge of their structure: after each signature, lengths up to {@value #LONGEST} bytes are
 * tried until the checksum matches. If the checksum of a damaged block is corrected, the block
 * passes the checksum test and reaches the code that decodes it.
 */
final class ChecksummedBlocks {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /**
   * The largest block size that is tried, in bytes without the checksum; it is small because the
   * search is quadratic.
   */
  private static final int LONGEST = 4096;

  private static final Set<String> SIGNATURES =
      Set.of(
          "OHDR",
          "OCHK",
          "FRHP",
          "FHDB",
          "FHIB",
          "BTHD",
          "BTIN",
          "BTLF",
          "FAHD",
          "FADB",
          "EAHD",
          "EAIB",
          "EASB",
          "EADB",
          "SMTB",
          "SMLI",
          "FSHD",
          "FSSE",
          "\u0089HDF");

  /** The bytes of a block from its signature up to, but excluding, its checksum. */
  record Range(int from, int to) {
    boolean holds(int at) {
      return from <= at && at < to;
    }
  }

  private final List<Range> ranges = new ArrayList<>();

  private ChecksummedBlocks() {}

  static ChecksummedBlocks of(byte[] file) {
    ChecksummedBlocks found = new ChecksummedBlocks();
    MemorySegment bytes = MemorySegment.ofArray(file);
    for (int at = 0; at + 8 <= file.length; at++) {
      String text = new String(file, at, 4, StandardCharsets.ISO_8859_1);
      if (SIGNATURES.contains(text)) {
        found.find(bytes, at);
      }
    }
    return found;
  }

  private void find(MemorySegment bytes, int from) {
    long end = Math.min(bytes.byteSize() - 4, (long) from + LONGEST);
    for (int to = from + 6; to <= end; to++) {
      if (Lookup3.checksum(bytes.asSlice(from, to - from)) == bytes.get(U32, to)) {
        ranges.add(new Range(from, to));
        return;
      }
    }
  }

  /** Returns the blocks in the order of their addresses. */
  List<Range> ranges() {
    return List.copyOf(ranges);
  }

  /** Returns whether the stored checksum of a block matches its bytes. */
  boolean isWhole(byte[] file, Range range) {
    MemorySegment bytes = MemorySegment.ofArray(file);
    int sum = Lookup3.checksum(bytes.asSlice(range.from(), range.to() - range.from()));
    return sum == bytes.get(U32, range.to());
  }

  /** Corrects the checksum of each block that contains the changed byte at the given offset. */
  void mend(byte[] file, int at) {
    MemorySegment bytes = MemorySegment.ofArray(file);
    for (Range range : ranges) {
      if (range.holds(at) && range.to() + 4 <= file.length) {
        int sum = Lookup3.checksum(bytes.asSlice(range.from(), range.to() - range.from()));
        bytes.set(U32, range.to(), sum);
      }
    }
  }
}
