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
 * A chunk index whose chunks have numbers that never change when the dataset grows. It is divided
 * into <em>leaves</em>, which contain the chunk records and are each owned by one rank, and the
 * <em>spine</em> (header, super blocks, addresses, page bitmaps), which every rank holds completely
 * in memory and changes in the same way. An instance represents the spine and is immutable.
 *
 * <p>A change proceeds as follows. {@link #leafOf} finds the leaf of a chunk. The owner of the leaf
 * reads the block returned by {@link #stored} and {@link #decodeLeaf decodes} it, or starts with
 * empty slots. After all ranks have agreed on the touched leaves, {@link #commit} allocates space
 * and returns the new spine. The owner {@link #encodeLeaf encodes} the leaf with the new index and
 * writes it to the block in the commit. One rank writes the blocks of the spine. All ranks continue
 * with the new index and its {@link #layout}.
 *
 * <p>No method is collective: {@code commit} is a local computation that returns equal results on
 * every rank if its arguments are equal.
 */
public non-sealed interface LinearIndex extends ChunkIndex {

  /**
   * Returns the number of a chunk, which never changes when the dataset grows.
   *
   * @param scaled the chunk coordinates
   * @throws IllegalArgumentException if the chunk is outside the maximum extent
   * @throws io.skerry.exception.UnsupportedFeatureException if the number exceeds 2^63-1, which is
   *     possible if a dimension is unlimited
   */
  long position(long[] scaled);

  /** Returns the coordinates of a chunk; the inverse of {@link #position}. */
  long[] scaled(long position);

  @Override
  default LeafId leafOf(long[] scaled) {
    return leafOf(position(scaled));
  }

  /** Returns the leaf that contains the record of a chunk. */
  LeafId leafOf(long position);

  /** Returns the slot of a chunk in its leaf. */
  int slot(long position);

  /**
   * Returns the block kind of the leaves.
   *
   * @throws IllegalStateException if the index has no blocks
   */
  BlockKind leafKind();

  /**
   * Checks that this process has enough memory to commit the index.
   *
   * @throws io.skerry.exception.MemoryLimitException if a commit would need more memory for the
   *     spine than the memory limit allows
   */
  default void requireMemory() {}

  /** Returns the number of slots in a leaf. */
  int slots(LeafId leaf);

  /**
   * Returns the file space of the complete block of a leaf, whose bytes the caller passes to {@link
   * #decodeLeaf}. Empty if the leaf was never written, so that all its slots are unset; always
   * empty for single-chunk and implicit indexes.
   */
  Optional<Block> stored(LeafId leaf);

  /** Returns the stored leaves in ascending order. */
  List<LeafId> storedLeaves();

  /**
   * Returns the stored leaves that contain any of the chunks {@code first} to {@code last}, in
   * ascending order.
   */
  default List<LeafId> storedLeaves(long first, long last) {
    long from = leafOf(first).first();
    return storedLeaves().stream()
        .filter(leaf -> leaf.first() >= from && leaf.first() <= last)
        .toList();
  }

  /**
   * Decodes the records of a leaf, one per slot; the record of an unset slot is empty.
   *
   * @param leaf the leaf
   * @param block the bytes of the block returned by {@link #stored}
   * @throws FormatException if the block is damaged
   */
  List<Optional<ChunkRecord>> decodeLeaf(LeafId leaf, MemorySegment block);

  /**
   * Encodes the block of a leaf, including its checksum and any parts of the spine that it
   * contains. Since these include addresses, this method must be called on the index that {@link
   * #commit} returned.
   *
   * @param leaf the leaf
   * @param records the records, one per slot; empty for an unset slot
   */
  MemorySegment encodeLeaf(LeafId leaf, List<Optional<ChunkRecord>> records);

  /**
   * Computes the spine after changes to records.
   *
   * @param touched the leaves in which any rank changed records; ignored by a single-chunk index,
   *     whose record is changed by {@code SingleChunkIndex.withRecord} instead
   * @param maxIndexSet 1 plus the highest chunk number set by this change on any rank, 0 if none;
   *     an extensible array stores the maximum over all changes, and the other indexes ignore it
   * @param allocator the allocator of new blocks; must have the same state on all ranks
   * @throws io.skerry.exception.MemoryLimitException in the same cases as {@link #requireMemory}
   */
  IndexCommit commit(SortedSet<LeafId> touched, long maxIndexSet, SpaceAllocator allocator);

  /**
   * {@inheritDoc}
   *
   * <p>Visits the records in order of chunk numbers, leaf by leaf.
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
