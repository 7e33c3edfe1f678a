package io.skerry.format.index.api;

import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * A chunk index whose records have numbers that growth never changes, cut for ranks:
 * <em>leaves</em>, which hold the chunk records and which one rank each owns, and the
 * <em>spine</em> (header, super blocks, addresses, page bitmaps), which every rank holds whole and
 * changes in the same way. An instance is the spine, an immutable value; no rank ever holds all
 * records.
 *
 * <p>The circle of use: {@link #leafOf} finds the leaf of a chunk; its owner reads the block that
 * {@link #stored} names and {@link #decodeLeaf decodes} it, or starts with empty slots; after all
 * ranks agree on the touched leaves, {@link #commit} gives addresses and the new spine; the owner
 * {@link #encodeLeaf encodes} with the new index and writes where the commit says; one rank writes
 * the spine blocks; everybody goes on with the new index and its {@link #layout}.
 *
 * <p>Nothing here is collective by itself: {@code commit} is plain code which, given equal
 * arguments, yields equal results on every rank.
 */
public non-sealed interface LinearIndex extends ChunkIndex {

  /**
   * Linear element number of a chunk, stable under growth.
   *
   * @param scaled chunk coordinates
   * @throws IllegalArgumentException if outside the maximum extent
   */
  long position(long[] scaled);

  /** Chunk coordinates of an element number: the inverse of {@link #position}. */
  long[] scaled(long position);

  @Override
  default LeafId leafOf(long[] scaled) {
    return leafOf(position(scaled));
  }

  /** The leaf that holds an element. */
  LeafId leafOf(long position);

  /** The element's slot within its leaf. */
  int slot(long position);

  /**
   * The kind of block that a leaf is.
   *
   * @throws IllegalStateException if the index has no blocks
   */
  BlockKind leafKind();

  /**
   * Refuses an index that this process cannot commit.
   *
   * @throws io.skerry.exception.MemoryLimitException if its blocks take more memory than there is
   */
  default void requireMemory() {}

  /** Number of slots of a leaf. */
  int slots(LeafId leaf);

  /**
   * Where a leaf's bytes are: the whole block to hand to {@link #decodeLeaf}. Empty if the leaf was
   * never written, so that all its slots are unset; always empty for a single chunk.
   */
  Optional<Block> stored(LeafId leaf);

  /** The leaves that are stored, in order. */
  List<LeafId> storedLeaves();

  /** The stored leaves that hold any of the elements from one to another, in order. */
  default List<LeafId> storedLeaves(long first, long last) {
    long from = leafOf(first).first();
    return storedLeaves().stream()
        .filter(leaf -> leaf.first() >= from && leaf.first() <= last)
        .toList();
  }

  /**
   * The records of a leaf by slot, empty where unset.
   *
   * @param block the bytes that {@link #stored} names
   * @throws FormatException if the block is damaged
   */
  List<Optional<ChunkRecord>> decodeLeaf(LeafId leaf, MemorySegment block);

  /**
   * The bytes of a leaf's block, spine parts and checksum included. Valid for the addresses of this
   * index: call it on the index that {@link #commit} returned.
   *
   * @param records one per slot, empty where unset
   */
  MemorySegment encodeLeaf(LeafId leaf, List<Optional<ChunkRecord>> records);

  /**
   * Decides the spine after a change of records.
   *
   * @param touched the leaves with changed records, of all ranks; for a single chunk irrelevant
   *     (use {@code SingleChunkIndex.withRecord})
   * @param maxIndexSet 1 + the highest element number set by this change on any rank, 0 if none;
   *     the index keeps the maximum of all changes
   * @param allocator gives addresses to what is new; must be equal on all ranks
   */
  IndexCommit commit(SortedSet<LeafId> touched, long maxIndexSet, SpaceAllocator allocator);

  /**
   * {@inheritDoc}
   *
   * <p>Visits them in the order of element numbers, leaf by leaf.
   */
  @Override
  default void forEachRecord(ByteSource source, RecordVisitor visitor) {
    for (LeafId leaf : storedLeaves()) {
      List<Optional<ChunkRecord>> slots = storedLeaf(source, leaf, stored(leaf).orElseThrow());
      for (int slot = 0; slot < slots.size(); slot++) {
        Optional<ChunkRecord> record = slots.get(slot);
        if (record.isPresent()) {
          visitor.visit(scaled(leaf.first() + slot), record.get());
        }
      }
    }
  }

  @Override
  default Optional<ChunkRecord> storedRecord(ByteSource source, long[] scaled) {
    long position = position(scaled);
    LeafId leaf = leafOf(position);
    return stored(leaf).flatMap(block -> storedLeaf(source, leaf, block).get(slot(position)));
  }

  private List<Optional<ChunkRecord>> storedLeaf(ByteSource source, LeafId leaf, Block block) {
    try {
      return decodeLeaf(leaf, source.read(block.address(), block.length()));
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(block.address());
    }
  }
}
