package io.skerry.collective.commit;

import io.skerry.exception.FormatException;
import io.skerry.format.block.BlockImage;
import java.util.Comparator;
import java.util.List;

/** The order of blocks in a file. */
final class BlockOrder {
  private BlockOrder() {}

  /** Returns blocks in the order of their addresses. */
  static List<BlockImage> sorted(List<BlockImage> blocks) {
    return blocks.stream().sorted(Comparator.comparingLong(BlockImage::address)).toList();
  }

  /**
   * Checks that the blocks of this rank do not overlap. Blocks of different ranks are not compared,
   * since that would need another exchange in every flush; they can overlap only if structures of a
   * damaged file do.
   *
   * @throws FormatException if two blocks overlap
   */
  static void checkApart(List<BlockImage> blocks) {
    long end = 0;
    for (BlockImage block : sorted(blocks)) {
      if (block.address() < end) {
        throw new FormatException(
                "block of metadata to be written", "behind the one before it", block.address())
            .atAddress(block.address());
      }
      end = block.address() + block.bytes().byteSize();
    }
  }
}
