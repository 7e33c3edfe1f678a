package io.skerry.collective.dataset;

import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.Widths;
import io.skerry.format.index.api.ChunkIndex;
import java.util.List;
import java.util.Map;

/**
 * The metadata that a flush writes besides chunks and indexes: object headers, the structures
 * outside them that store links and attributes, and the superblock. Every rank has the same
 * metadata, so all methods return equal results on all ranks.
 */
public interface MetadataSource {
  /** Returns the widths of addresses and lengths in the file. */
  Widths widths();

  /** Returns whether the metadata differs from the file. */
  boolean isDirty();

  /**
   * Returns the blocks of object headers, and of the structures outside them that store links and
   * attributes, that differ from those in the file.
   *
   * @param indexes the new state of the chunk indexes that this flush changes, by dataset
   * @param space the allocator of new blocks
   */
  List<BlockImage> changedBlocks(Map<Long, ChunkIndex> indexes, SpaceAllocator space);

  /**
   * Returns the superblock of the file.
   *
   * @param endOfFile the end of the file, relative to the base address
   */
  BlockImage superblock(long endOfFile);

  /**
   * Drops a dataset that is not in use on any rank. The dataset is read again when it is next
   * opened.
   */
  void released(ChunkedDataset dataset);

  /** Records that the commit is complete. */
  void committed();

  /**
   * Records that the flush failed and that the blocks of {@link #changedBlocks} were not written.
   */
  void rolledBack();
}
