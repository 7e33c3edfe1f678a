package io.skerry.collective.owner;

import io.skerry.collective.ChunkedDataset;
import io.skerry.format.Block;
import io.skerry.format.index.ChunkIndex;
import io.skerry.format.index.ChunkRecord;
import io.skerry.format.index.LeafId;
import io.skerry.format.index.SingleChunkIndex;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * This rank's share of one dataset's chunk index: the leaves of which it is the home, loaded when
 * first asked for, and who owns the dirty chunks in them. Records here are what the next flush will
 * write; nobody else has them.
 */
final class HomeIndex {
  private final ChunkedDataset dataset;
  private final LeafReader reader;
  private final Map<LeafId, List<Optional<ChunkRecord>>> leaves = new HashMap<>();
  private final TreeSet<LeafId> touched = new TreeSet<>();
  private final Map<Long, Integer> dirtyOwners = new HashMap<>();
  private final Map<Long, Integer> proposedOwners = new HashMap<>();
  private long positionsUsed;

  /** Reads the stored bytes of a leaf. */
  @FunctionalInterface
  interface LeafReader {
    MemorySegment read(Block block);
  }

  HomeIndex(ChunkedDataset dataset, LeafReader reader) {
    this.dataset = dataset;
    this.reader = reader;
  }

  Optional<ChunkRecord> record(long position) {
    ChunkIndex index = dataset.index();
    LeafId leaf = index.leafOf(position);
    return leaf(leaf).get(index.slot(position));
  }

  void update(long position, Optional<ChunkRecord> record) {
    ChunkIndex index = dataset.index();
    LeafId leaf = index.leafOf(position);
    leaf(leaf).set(index.slot(position), record);
    touched.add(leaf);
    if (record.isPresent()) {
      positionsUsed = Math.max(positionsUsed, position + 1);
    }
  }

  /** Leaves that hold records, at home here or not. */
  Set<LeafId> allLeaves() {
    Set<LeafId> all = new TreeSet<>(leaves.keySet());
    all.addAll(dataset.index().storedLeaves());
    if (dataset.index() instanceof SingleChunkIndex single) {
      all.add(single.leafOf(0));
    }
    return all;
  }

  List<Optional<ChunkRecord>> leaf(LeafId leaf) {
    return leaves.computeIfAbsent(leaf, this::load);
  }

  private List<Optional<ChunkRecord>> load(LeafId leaf) {
    ChunkIndex index = dataset.index();
    if (index instanceof SingleChunkIndex single) {
      return new ArrayList<>(List.of(single.chunk()));
    }
    Optional<Block> stored = index.stored(leaf);
    if (stored.isPresent()) {
      return new ArrayList<>(index.decodeLeaf(leaf, reader.read(stored.get())));
    }
    return new ArrayList<>(Collections.nCopies(index.slots(leaf), Optional.empty()));
  }

  /** Leaves whose records differ from the file. */
  SortedSet<LeafId> touched() {
    return touched;
  }

  /** One past the greatest position this rank has seen set since the last commit. */
  long positionsUsed() {
    return positionsUsed;
  }

  Optional<Integer> dirtyOwner(long position) {
    return Optional.ofNullable(dirtyOwners.get(position));
  }

  void proposeOwner(long position, int rank) {
    proposedOwners.put(position, rank);
  }

  void acceptProposals() {
    dirtyOwners.putAll(proposedOwners);
    proposedOwners.clear();
  }

  void dropProposals() {
    proposedOwners.clear();
  }

  /**
   * Everything is stored: no dirty chunk, no touched leaf. Leaves that this flush did not touch are
   * forgotten, so that a stream that appends for days keeps the end of its index in memory, not
   * all.
   */
  void stored() {
    leaves.keySet().retainAll(touched);
    touched.clear();
    dirtyOwners.clear();
  }
}
