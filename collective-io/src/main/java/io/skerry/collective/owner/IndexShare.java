package io.skerry.collective.owner;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.ImplicitIndex;
import io.skerry.format.index.SingleChunkIndex;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.ChunkTree;
import io.skerry.format.index.api.LeafId;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.index.api.TreeChange;
import io.skerry.format.index.api.TreeCommit;
import io.skerry.format.index.api.TreeIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * This rank's share of the chunk index of one dataset: the leaves of which this rank is the index
 * owner, loaded on first use, and the owners of the dirty chunks in these leaves. The records
 * include the changes that the next flush will write, which no other rank has. {@link
 * FlushedRecords} uses this class for the records in all leaves, without unflushed changes.
 *
 * <p>Any thread may read records. A reader sees either the records before a flush or those after
 * it, with the index to which they belong. All other methods must be called by the thread that runs
 * the operation.
 */
final class IndexShare {
  private final ChunkedDataset dataset;
  private final ByteSource source;
  private final Map<LeafId, List<Optional<ChunkRecord>>> leaves = new HashMap<>();
  private final TreeSet<LeafId> touched = new TreeSet<>();
  private final Map<ChunkCoordinates, Integer> dirtyOwners = new HashMap<>();
  private final Map<ChunkCoordinates, Integer> proposedOwners = new HashMap<>();

  /** The records of a tree index; empty until they are first needed. */
  private Optional<ChunkTree> tree = Optional.empty();

  /**
   * The allocated space and the new index of the tree in the current flush, or in the last flush if
   * it failed; otherwise empty.
   */
  private Optional<TreeCommit> treeCommit = Optional.empty();

  private long positionsUsed;

  IndexShare(ChunkedDataset dataset, ByteSource source) {
    this.dataset = dataset;
    this.source = source;
  }

  synchronized Optional<ChunkRecord> record(ChunkCoordinates chunk) {
    return switch (dataset.index()) {
      case ImplicitIndex implicit -> implicit.chunk(implicit.position(chunk.scaled()));
      case LinearIndex linear -> {
        long position = linear.position(chunk.scaled());
        yield leaf(linear, linear.leafOf(position)).get(linear.slot(position));
      }
      case TreeIndex index -> tree(index).record(chunk);
    };
  }

  synchronized void update(ChunkCoordinates chunk, Optional<ChunkRecord> record) {
    switch (dataset.index()) {
      case ImplicitIndex implicit -> touched.add(implicit.leafOf(chunk.scaled()));
      case LinearIndex linear -> {
        long position = linear.position(chunk.scaled());
        LeafId leaf = linear.leafOf(position);
        leaf(linear, leaf).set(linear.slot(position), record);
        touched.add(leaf);
        if (record.isPresent()) {
          positionsUsed = Math.max(positionsUsed, position + 1);
        }
      }
      case TreeIndex index -> {
        tree(index).update(chunk, record);
        touched.add(index.leafOf(chunk.scaled()));
      }
    }
  }

  /**
   * Returns the records in the leaves of this rank; for a tree index, the records that are stored
   * in the file. An implicit index has no records.
   *
   * @param here true for leaves whose index owner is this rank
   */
  synchronized List<ChunkRecord> records(Predicate<LeafId> here) {
    List<ChunkRecord> records = new ArrayList<>();
    switch (dataset.index()) {
      case ImplicitIndex _ -> {}
      case LinearIndex linear -> {
        for (LeafId leaf : withRecords(linear, 0, Long.MAX_VALUE)) {
          if (here.test(leaf)) {
            slots(linear, leaf).forEach(record -> record.ifPresent(records::add));
          }
        }
      }
      case TreeIndex index -> {
        if (here.test(index.leafOf(new long[dataset.shape().rank()]))) {
          tree(index).forEachStored((_, record) -> records.add(record));
        }
      }
    }
    return records;
  }

  /**
   * Returns the chunks with records in the leaves of this rank.
   *
   * @param here true for leaves whose index owner is this rank
   */
  synchronized List<ChunkCoordinates> chunks(Predicate<LeafId> here) {
    List<ChunkCoordinates> chunks = new ArrayList<>();
    forEach(Optional.empty(), here, (chunk, _) -> chunks.add(chunk));
    return chunks;
  }

  /**
   * Visits the records in the leaves of this rank. With a linear index, leaves that are loaded for
   * the visit are not kept; a tree is loaded and kept.
   *
   * @param area the area to visit; the whole grid if empty
   * @param here true for leaves whose index owner is this rank
   */
  synchronized void forEach(
      Optional<GridArea> area,
      Predicate<LeafId> here,
      BiConsumer<ChunkCoordinates, ChunkRecord> visitor) {
    BiConsumer<ChunkCoordinates, ChunkRecord> inside =
        (chunk, record) -> {
          if (area.isEmpty() || area.get().contains(chunk)) {
            visitor.accept(chunk, record);
          }
        };
    switch (dataset.index()) {
      case ImplicitIndex implicit -> forEach(implicit, here, inside);
      case LinearIndex linear -> {
        long first = area.map(part -> linear.position(part.first().scaled())).orElse(0L);
        long last = area.map(part -> linear.position(part.last().scaled())).orElse(Long.MAX_VALUE);
        for (LeafId leaf : withRecords(linear, first, last)) {
          if (here.test(leaf)) {
            forEach(linear, leaf, inside);
          }
        }
      }
      case TreeIndex index -> {
        int rank = dataset.shape().rank();
        if (here.test(index.leafOf(new long[rank]))) {
          long[] end = new long[rank];
          Arrays.fill(end, Long.MAX_VALUE);
          ChunkCoordinates first =
              area.map(GridArea::first).orElse(ChunkCoordinates.of(new long[rank]));
          tree(index)
              .forEach(first, area.map(GridArea::last).orElse(ChunkCoordinates.of(end)), inside);
        }
      }
    }
  }

  private static void forEach(
      ImplicitIndex implicit,
      Predicate<LeafId> here,
      BiConsumer<ChunkCoordinates, ChunkRecord> visitor) {
    for (long at = 0; at < implicit.count() && implicit.layout().index().isAllocated(); at++) {
      if (here.test(implicit.leafOf(at))) {
        visitor.accept(ChunkCoordinates.of(implicit.scaled(at)), implicit.chunk(at).orElseThrow());
      }
    }
  }

  private void forEach(
      LinearIndex linear, LeafId leaf, BiConsumer<ChunkCoordinates, ChunkRecord> visitor) {
    List<Optional<ChunkRecord>> slots = slots(linear, leaf);
    for (int slot = 0; slot < slots.size(); slot++) {
      Optional<ChunkRecord> record = slots.get(slot);
      if (record.isPresent()) {
        visitor.accept(ChunkCoordinates.of(linear.scaled(leaf.first() + slot)), record.get());
      }
    }
  }

  private List<Optional<ChunkRecord>> slots(LinearIndex linear, LeafId leaf) {
    List<Optional<ChunkRecord>> known = leaves.get(leaf);
    return known == null ? load(linear, leaf) : known;
  }

  /**
   * Returns the leaves that may hold records for a range of positions.
   *
   * @param last the last position, inclusive; {@link Long#MAX_VALUE} for no limit
   */
  private Set<LeafId> withRecords(LinearIndex linear, long first, long last) {
    Set<LeafId> all = new TreeSet<>();
    for (LeafId leaf : leaves.keySet()) {
      if (leaf.first() <= last && leaf.first() + linear.slots(leaf) > first) {
        all.add(leaf);
      }
    }
    if (linear instanceof SingleChunkIndex single) {
      all.add(single.leafOf(0));
    } else {
      all.addAll(last == Long.MAX_VALUE ? linear.storedLeaves() : linear.storedLeaves(first, last));
    }
    return all;
  }

  synchronized List<Optional<ChunkRecord>> leaf(LinearIndex index, LeafId leaf) {
    return leaves.computeIfAbsent(leaf, missing -> load(index, missing));
  }

  private List<Optional<ChunkRecord>> load(LinearIndex index, LeafId leaf) {
    if (index instanceof SingleChunkIndex single) {
      return new ArrayList<>(List.of(single.chunk()));
    }
    Optional<Block> stored = index.stored(leaf);
    if (stored.isPresent()) {
      Block block = stored.get();
      return new ArrayList<>(index.decodeLeaf(leaf, source.read(block.address(), block.length())));
    }
    return new ArrayList<>(Collections.nCopies(index.slots(leaf), Optional.empty()));
  }

  private ChunkTree tree(TreeIndex index) {
    if (tree.isEmpty()) {
      tree = Optional.of(index.load(source));
    }
    return tree.get();
  }

  /** Returns the amount of space that the changed tree requires and the blocks that it frees. */
  synchronized TreeChange treeChange(TreeIndex index) {
    return tree(index).change();
  }

  /**
   * Encodes the new and changed blocks of the tree.
   *
   * @param commit the space that was allocated for the blocks, and the index after the flush
   */
  synchronized List<BlockImage> encodeTree(TreeCommit commit) {
    treeCommit = Optional.of(commit);
    return tree.orElseThrow().encode(commit);
  }

  /** Returns the leaves in which records have been set or removed since the last flush. */
  SortedSet<LeafId> touched() {
    return touched;
  }

  /**
   * Returns one more than the greatest position at which this rank has set a record; 0 if there is
   * none.
   */
  long positionsUsed() {
    return positionsUsed;
  }

  Optional<Integer> dirtyOwner(ChunkCoordinates chunk) {
    return Optional.ofNullable(dirtyOwners.get(chunk));
  }

  void proposeOwner(ChunkCoordinates chunk, int rank) {
    proposedOwners.put(chunk, rank);
  }

  void acceptProposals() {
    dirtyOwners.putAll(proposedOwners);
    proposedOwners.clear();
  }

  void forgetOwners() {
    dirtyOwners.clear();
  }

  void dropProposals() {
    proposedOwners.clear();
  }

  /**
   * Ends a flush that has stored all records. Afterwards, no chunk is dirty and no leaf is touched.
   * Leaves that this flush did not touch are dropped, so that a program that appends for days keeps
   * only the end of the index in memory. A tree is kept, since the next flush needs all of it.
   *
   * @param committed the action that installs the new index of the dataset
   */
  synchronized void stored(Runnable committed) {
    committed.run();
    if (!touched.isEmpty() && treeCommit.isPresent()) {
      tree = Optional.of(tree.orElseThrow().committed(treeCommit.get()));
    }
    treeCommit = Optional.empty();
    leaves.keySet().retainAll(touched);
    touched.clear();
    dirtyOwners.clear();
  }
}
