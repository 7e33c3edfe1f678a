package io.skerry.format.index.api;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.IndexInfo;
import java.util.List;
import java.util.Optional;

/**
 * A chunk index in a B-tree of version 1 or 2. One rank, the index owner, is responsible for all
 * its records, so the index has only one leaf. The other ranks hold only its layout message.
 *
 * <p>A change proceeds as follows. The index owner {@link #load loads} the tree once and changes
 * its records. At a commit, {@link ChunkTree#change} returns the space that the new nodes need and
 * the blocks that they replace, and the index owner sends both to all ranks. Each rank {@link
 * #commit commits} that change with its allocator. The index owner {@link ChunkTree#encode encodes}
 * the tree for the allocated space and, when all blocks are on disk, continues with {@link
 * ChunkTree#committed}.
 */
public final class TreeIndex implements ChunkIndex {
  private static final LeafId LEAF = new LeafId(0);

  private final ChunkedLayout layout;
  private final RecordFormat records;
  private final Loader loader;

  /** Opens the tree of an index. */
  @FunctionalInterface
  public interface Loader {
    /**
     * Opens the tree of an index.
     *
     * @throws FormatException if the tree is damaged
     */
    ChunkTree load(TreeIndex index, ByteSource source);
  }

  /**
   * Creates an index.
   *
   * @param layout the data layout message, whose index is a B-tree
   * @param records the encoding of its records
   * @param loader the function that opens the tree, for the B-tree version of the layout
   */
  public TreeIndex(ChunkedLayout layout, RecordFormat records, Loader loader) {
    this.layout = layout;
    this.records = records;
    this.loader = loader;
  }

  @Override
  public ChunkIndexKind kind() {
    return layout.index() instanceof IndexInfo.BTree1
        ? ChunkIndexKind.BTREE_1
        : ChunkIndexKind.BTREE_2;
  }

  @Override
  public ChunkedLayout layout() {
    return layout;
  }

  @Override
  public RecordFormat records() {
    return records;
  }

  @Override
  public LeafId leafOf(long[] scaled) {
    return LEAF;
  }

  /**
   * Opens the tree in the file. A version 1 B-tree has no checksums and is read and verified
   * completely; a version 2 B-tree is read on demand.
   *
   * @throws FormatException if a version 1 tree is damaged
   */
  public ChunkTree load(ByteSource source) {
    try {
      return loader.load(this, source);
    } catch (FormatException e) {
      throw e.inFile(source.name()).inObject("chunk B-tree");
    }
  }

  /**
   * Allocates the space that a change needs, and frees the blocks that it replaces. Local; equal
   * arguments produce equal results on every rank.
   *
   * @throws FormatException if a block to be freed overlaps free space or is beyond the end of file
   */
  public TreeCommit commit(TreeChange change, SpaceAllocator allocator) {
    Optional<Block> space =
        change.newBytes() > 0
            ? Optional.of(allocator.allocateBlock(change.newBytes()))
            : Optional.empty();
    change.freed().forEach(allocator::freeStored);
    TreeIndex after = this;
    if (space.isPresent() && !layout.index().isAllocated()) {
      IndexInfo at = layout.index().withAddress(space.get().address());
      after = new TreeIndex(layout.withIndex(at), records, loader);
    }
    return new TreeCommit(after, space);
  }

  @Override
  public List<Block> blocks(ByteSource source) {
    return load(source).storedBlocks();
  }

  @Override
  public void forEachRecord(ByteSource source, RecordVisitor visitor) {
    try {
      load(source).forEachStored(visitor);
    } catch (FormatException e) {
      throw e.inFile(source.name()).inObject("chunk B-tree");
    }
  }

  @Override
  public Optional<ChunkRecord> storedRecord(ByteSource source, long[] scaled) {
    try {
      return load(source).record(ChunkCoordinates.of(scaled));
    } catch (FormatException e) {
      throw e.inFile(source.name()).inObject("chunk B-tree");
    }
  }
}
