package io.skerry.collective.dataset;

import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.Widths;
import io.skerry.format.index.api.ChunkIndex;
import java.util.List;
import java.util.Map;

/**
 * What a flush must write besides chunks and indexes: object headers and superblock. Every rank has
 * the same metadata and gives the same answers.
 */
public interface MetadataSource {
  /** Bytes of addresses and lengths in the file. */
  Widths widths();

  /** Returns whether anything differs from the file. */
  boolean isDirty();

  /**
   * Headers that differ from the file.
   *
   * @param indexes the new state of the chunk indexes that this flush changes, by dataset
   * @param space gives addresses to blocks that are new
   */
  List<BlockImage> changedBlocks(Map<Long, ChunkIndex> indexes, SpaceAllocator space);

  /** The superblock for a file that ends at {@code endOfFile}. */
  BlockImage superblock(long endOfFile);

  /** A dataset is given up that nobody has open: the next one to open it reads it again. */
  void released(ChunkedDataset dataset);

  /** The commit is on disk. */
  void committed();

  /** The flush failed: what {@link #changedBlocks} placed was not written. */
  void rolledBack();
}
