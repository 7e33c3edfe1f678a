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
 * A chunk index in a B-tree, of version 1 or 2. All its records have one home, so it has one leaf;
 * what every rank holds of it is no more than its layout message.
 *
 * <p>The circle of use: the home {@link #load loads} the tree, once, and changes its records; at a
 * commit the tree says with {@link ChunkTree#change} how much space its new blocks need and which
 * blocks they replace, and the home tells all ranks; each rank {@link #commit commits} that with
 * its allocator; the home {@link ChunkTree#encode encodes} the tree for the space that the commit
 * gave and, when all is on disk, goes on with {@link ChunkTree#committed}.
 */
public final class TreeIndex implements ChunkIndex {
  private static final LeafId LEAF = new LeafId(0);

  private final ChunkedLayout layout;
  private final RecordFormat records;
  private final Loader loader;

  /** Opens the tree that an index leads to. */
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
   * @param layout whose index is a tree
   * @param loader for the version of the tree
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
   * The tree in the file. A version 1 tree, which has no checksums, is read and checked whole; of a
   * version 2 tree nothing is read before it is asked for.
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

  /** Gives a change its space. Local; equal arguments yield equal results on every rank. */
  public TreeCommit commit(TreeChange change, SpaceAllocator allocator) {
    Optional<Block> space =
        change.newBytes() > 0
            ? Optional.of(allocator.allocateBlock(change.newBytes()))
            : Optional.empty();
    change.freed().forEach(allocator::free);
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
