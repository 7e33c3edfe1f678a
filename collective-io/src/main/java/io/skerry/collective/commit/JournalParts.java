package io.skerry.collective.commit;

import io.skerry.format.block.BlockImage;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides the blocks that a rank replaces among parts of the journal. A part is encoded, and read
 * by a recovery, as one byte array, which holds less than 2 GiB.
 *
 * @param limit the maximum size of an encoded part in bytes, at least 1024
 */
record JournalParts(long limit) {
  /** Parts of at most 1 GiB, which leaves room for a buffer to grow while a part is encoded. */
  static final JournalParts STANDARD = new JournalParts(1L << 30);

  /** The unit of fingerprints; see {@link io.skerry.format.journal.Journal}. */
  private static final int SECTOR = 512;

  private static final int SECTOR_FIELDS = 16;

  /**
   * The maximum size, in bytes, of the fields of a part outside its blocks, including its length.
   */
  private static final int PART_FIELDS = 64;

  /**
   * The maximum size of the fields of a block: address, length, and the fingerprints of the first
   * and the last sector.
   */
  private static final int BLOCK_FIELDS = 16 + 2 * SECTOR_FIELDS;

  /**
   * Returns the blocks of each part in the given order; an empty list if there are no blocks. A
   * block that is too large for one part is divided among several parts.
   */
  List<List<BlockImage>> divide(List<BlockImage> blocks) {
    List<List<BlockImage>> parts = new ArrayList<>();
    long used = limit;
    for (BlockImage block : blocks) {
      for (BlockImage piece : pieces(block)) {
        long bytes = encodedSize(piece);
        if (used + bytes > limit) {
          parts.add(new ArrayList<>());
          used = PART_FIELDS;
        }
        parts.getLast().add(piece);
        used += bytes;
      }
    }
    return parts;
  }

  /** Returns the maximum size of a block in the journal, in bytes. */
  private static long encodedSize(BlockImage block) {
    long bytes = block.bytes().byteSize();
    return bytes + BLOCK_FIELDS + bytes / SECTOR * SECTOR_FIELDS;
  }

  /** Divides a large block at sector boundaries, so that each fingerprint belongs to one piece. */
  private List<BlockImage> pieces(BlockImage block) {
    if (PART_FIELDS + encodedSize(block) <= limit) {
      return List.of(block);
    }
    long stride = limit / 2 / SECTOR * SECTOR;
    long end = block.address() + block.bytes().byteSize();
    List<BlockImage> pieces = new ArrayList<>();
    long at = block.address();
    while (at < end) {
      long next = Math.min(end, (at / stride + 1) * stride);
      pieces.add(
          new BlockImage(at, block.kind(), block.bytes().asSlice(at - block.address(), next - at)));
      at = next;
    }
    return pieces;
  }
}
