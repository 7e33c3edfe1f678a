package io.skerry.format.index;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.space.GridPoint;
import io.skerry.format.Block;
import io.skerry.format.BlockImage;
import io.skerry.format.ByteSource;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.object.ChunkedLayout;
import io.skerry.format.object.IndexInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * A chunk index in a B-tree, of version 1 or 2. All its records have one home, so it has one leaf;
 * what every rank holds of it is no more than its layout message.
 *
 * <p>The circle of use: the home {@link #load loads} the tree, once, and changes its records; at a
 * commit it says with {@link #change} how much space the new nodes need and which blocks they
 * replace, and tells all ranks; each rank {@link #commit commits} that with its allocator; the home
 * {@link #encode encodes} the tree for the space that the commit gave, and goes on with the tree
 * that this returns.
 *
 * <p>A commit writes all nodes anew, in one stretch; only the block that the layout message names
 * (the root of a version 1 tree, the header of a version 2 tree) stays where it is. The cost is the
 * size of the tree, about 40 bytes per chunk for one dimension and 8 for each other, however few
 * records changed; the old nodes become free with the commit.
 */
public final class TreeIndex implements ChunkIndex {
  private static final LeafId LEAF = new LeafId(0);

  private final ChunkedLayout layout;
  private final RecordFormat records;
  private final TreeNodes nodes;
  private final ChunkIndexKind kind;

  TreeIndex(ChunkedLayout layout, RecordFormat records, TreeNodes nodes, ChunkIndexKind kind) {
    this.layout = layout;
    this.records = records;
    this.nodes = nodes;
    this.kind = kind;
  }

  @Override
  public ChunkIndexKind kind() {
    return kind;
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
   * All records, read from the file.
   *
   * @throws FormatException if a node is damaged, a record is out of order, or nodes form a cycle
   */
  public ChunkTree load(ByteSource source) {
    try {
      return nodes.read(source, layout.index().address());
    } catch (FormatException e) {
      throw e.inFile(source.name()).inObject("chunk B-tree");
    }
  }

  /**
   * What a changed tree asks of the file's space. Local, on the home.
   *
   * @throws FormatException if the tree has more records than its format can hold
   */
  public TreeChange change(ChunkTree tree) {
    return new TreeChange(nodes.bodyBytes(tree.size()), tree.stored());
  }

  /** Gives a change its space. Local; equal arguments yield equal results on every rank. */
  public TreeCommit commit(TreeChange change, SpaceAllocator allocator) {
    IndexInfo info = layout.index();
    if (!info.isAllocated()) {
      info = info.withAddress(allocator.allocate(nodes.anchorBytes()));
    }
    List<Block> body = new ArrayList<>();
    if (change.newBytes() > 0) {
      body.add(allocator.allocateBlock(change.newBytes()));
    }
    change.freed().forEach(allocator::free);
    return new TreeCommit(
        new TreeIndex(layout.withIndex(info), records, nodes, kind), List.copyOf(body));
  }

  /** The blocks to write. Local, on the home; call it on the index of the commit. */
  public List<BlockImage> encode(ChunkTree tree, TreeCommit commit) {
    return nodes.write(tree.records(), layout.index().address(), commit.bodyAddress());
  }

  /** The tree as it stands on disk after the commit. */
  public static ChunkTree committed(ChunkTree tree, TreeCommit commit) {
    return new ChunkTree(tree.records(), commit.body());
  }

  @Override
  public List<Block> blocks(ByteSource source) {
    if (!layout.index().isAllocated()) {
      return List.of();
    }
    List<Block> all = new ArrayList<>(load(source).stored());
    all.add(new Block(layout.index().address(), nodes.anchorBytes()));
    all.sort(null);
    return all;
  }

  @Override
  public void forEachRecord(ByteSource source, RecordVisitor visitor) {
    if (layout.index().isAllocated()) {
      load(source)
          .forEach((GridPoint chunk, ChunkRecord record) -> visitor.visit(chunk.scaled(), record));
    }
  }
}
