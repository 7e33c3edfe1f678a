package io.skerry.format.block;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * Verifies the four-byte lookup3 checksum at the end of metadata blocks, and computes the longer
 * fingerprints of Skerry's own formats.
 */
public final class Checksums {
  /** The size of a checksum in bytes. */
  private static final int CHECKSUM = 4;

  private Checksums() {}

  /**
   * Reads the stored checksum at the reader's position and compares it with the computed checksum.
   *
   * @throws FormatException if the checksums differ; the exception names the structure
   */
  public static void check(ByteReader in, int computed) {
    int stored = in.i32();
    if (stored != computed) {
      throw in.fault("checksum", hex(computed), hex(stored));
    }
  }

  /**
   * Verifies a block whose last four bytes are the checksum of all preceding bytes.
   *
   * @return the bytes before the checksum
   * @throws FormatException if the block is too short or damaged; the exception names the structure
   */
  public static MemorySegment verified(MemorySegment block, String structure) {
    ByteReader in = ByteReader.of(block, structure);
    if (block.byteSize() < CHECKSUM) {
      throw in.fault("length", "at least " + CHECKSUM, block.byteSize());
    }
    MemorySegment body = in.slice(block.byteSize() - CHECKSUM);
    check(in, Lookup3.checksum(body));
    return body;
  }

  /** Returns a fingerprint of 64 bits: CRC-32C in the high half, lookup3 in the low half. */
  public static long fingerprint(MemorySegment bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.asByteBuffer());
    return crc.getValue() << 32 | (Lookup3.checksum(bytes) & 0xffffffffL);
  }

  private static String hex(int checksum) {
    return String.format("0x%08x", checksum);
  }
}
