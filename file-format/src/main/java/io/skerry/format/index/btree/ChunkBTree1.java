package io.skerry.format.index.btree;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.ChunkTree;
import io.skerry.format.index.api.RecordVisitor;
import io.skerry.format.index.api.TreeChange;
import io.skerry.format.index.api.TreeCommit;
import io.skerry.format.index.api.TreeIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * A version 1 B-tree of chunks with all its records in memory.
 *
 * <p>A commit rewrites all nodes. The root keeps its address; the other nodes are written to one
 * new contiguous block, and their old file space is freed. The cost is proportional to the size of
 * the tree, regardless of the number of changed records.
 */
public final class ChunkBTree1 implements ChunkTree {
  private final ChunkBTree1Nodes nodes;
  private final TreeMap<ChunkCoordinates, ChunkRecord> records;
  private final long root;
  private final List<Block> body;

  /**
   * Creates a tree.
   *
   * @param nodes the encoding of its nodes
   * @param records the records by chunk; the caller must not change the map afterwards
   * @param root the address of the root node; undefined if there is none yet
   * @param body the file space of all other nodes
   */
  ChunkBTree1(
      ChunkBTree1Nodes nodes,
      TreeMap<ChunkCoordinates, ChunkRecord> records,
      long root,
      List<Block> body) {
    this.nodes = nodes;
    this.records = records;
    this.root = root;
    this.body = List.copyOf(body);
  }

  public static ChunkBTree1 open(TreeIndex index, ChunkBTree1Nodes nodes, ByteSource source) {
    long root = index.layout().index().address();
    return FileAddress.isDefined(root)
        ? new ChunkBTree1Reader(source, nodes).read(root)
        : new ChunkBTree1(nodes, new TreeMap<>(), root, List.of());
  }

  @Override
  public Optional<ChunkRecord> record(ChunkCoordinates chunk) {
    return Optional.ofNullable(records.get(chunk));
  }

  @Override
  public void update(ChunkCoordinates chunk, Optional<ChunkRecord> record) {
    record.ifPresentOrElse(r -> records.put(chunk, r), () -> records.remove(chunk));
  }

  private boolean isNew() {
    return !FileAddress.isDefined(root);
  }

  @Override
  public TreeChange change() {
    long first = isNew() ? nodes.nodeBytes() : 0;
    return new TreeChange(Math.addExact(first, nodes.bodyBytes(records.size())), body);
  }

  @Override
  public List<BlockImage> encode(TreeCommit commit) {
    return nodes.write(records, root(commit), bodyAddress(commit));
  }

  private static long root(TreeCommit commit) {
    return commit.index().layout().index().address();
  }

  private long bodyAddress(TreeCommit commit) {
    long start = commit.space().map(Block::address).orElse(FileAddress.UNDEFINED);
    return isNew() ? start + nodes.nodeBytes() : start;
  }

  @Override
  public ChunkTree committed(TreeCommit commit) {
    long bytes = nodes.bodyBytes(records.size());
    List<Block> written = bytes > 0 ? List.of(new Block(bodyAddress(commit), bytes)) : List.of();
    return new ChunkBTree1(nodes, records, root(commit), written);
  }

  @Override
  public void forEach(
      ChunkCoordinates first,
      ChunkCoordinates last,
      BiConsumer<ChunkCoordinates, ChunkRecord> visitor) {
    records.subMap(first, true, last, true).forEach(visitor);
  }

  /**
   * {@inheritDoc} Changes replace the records of this tree in memory. If there are uncommitted
   * changes, this method visits the changed records instead of the stored ones.
   */
  @Override
  public void forEachStored(RecordVisitor visitor) {
    records.forEach((chunk, record) -> visitor.visit(chunk.scaled(), record));
  }

  @Override
  public List<Block> storedBlocks() {
    List<Block> all = new ArrayList<>(body);
    if (!isNew()) {
      all.add(new Block(root, nodes.nodeBytes()));
    }
    all.sort(null);
    return all;
  }
}
