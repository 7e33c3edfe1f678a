package io.skerry.chunk.filter.codec;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * Reads the frame and block headers of Zstandard data to bound the decoded size before memory is
 * allocated: a frame may claim any size, but each block decodes to at most 128 KiB.
 *
 * <pre>
 * frame   u32 FD2FB528 | descriptor u8 | window u8 unless single segment
 *         | dictionary ID, 0, 1, 2 or 4 bytes | content size, 0, 1, 2, 4 or 8 bytes
 *         | blocks | checksum u32 if flagged in the descriptor
 * block   u24: bit 0 last block, bits 1-2 type (raw, run, compressed), bits 3-23 size | content
 * skipped u32 184D2A5? | u32 size | content
 * </pre>
 *
 * Source: RFC 8878, section 3.1.
 */
public final class ZstdFrames {
  private static final int MAGIC = 0xFD2FB528;
  private static final int SKIPPED = 0x184D2A50;
  private static final int MAX_BLOCK = 1 << 17;
  private static final int CHECKSUM = 4;
  private static final int SINGLE = 32;

  private ZstdFrames() {}

  /**
   * Returns an upper bound on the total decoded size of the given frames, in bytes.
   *
   * @throws FormatException if a signature or block type is invalid, or if the data ends early
   */
  public static long bound(MemorySegment frames) {
    ByteReader in = ByteReader.of(frames, "zstd frame");
    long bound = 0;
    do {
      int magic = in.i32();
      if ((magic & ~15) == SKIPPED) {
        in.skip(in.u32());
      } else if (magic == MAGIC) {
        bound += frame(in);
      } else {
        throw in.fault("signature", Integer.toHexString(MAGIC), Integer.toHexString(magic));
      }
    } while (in.remaining() > 0);
    return bound;
  }

  private static long frame(ByteReader in) {
    int descriptor = in.u8();
    boolean single = (descriptor & SINGLE) != 0;
    if (!single) {
      in.skip(1);
    }
    int dictionary = descriptor & 3;
    in.skip(dictionary == 3 ? 4 : dictionary);
    int size = descriptor >>> 6;
    in.skip(size == 0 ? single ? 1 : 0 : 1L << size);
    long bound = 0;
    int block;
    do {
      block = (int) in.uint(3);
      int length = block >>> 3;
      bound +=
          switch (block >>> 1 & 3) {
            case 0 -> {
              in.skip(length);
              yield length;
            }
            case 1 -> {
              in.skip(1);
              yield Math.min(length, MAX_BLOCK);
            }
            case 2 -> {
              in.skip(length);
              yield MAX_BLOCK;
            }
            default -> throw in.fault("block type", "0..2", 3);
          };
    } while ((block & 1) == 0);
    in.skip((descriptor & CHECKSUM) == 0 ? 0 : 4);
    return bound;
  }
}
