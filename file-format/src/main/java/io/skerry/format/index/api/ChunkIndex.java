package io.skerry.format.index.api;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import java.util.List;
import java.util.Optional;

/**
 * A chunk index: maps the chunks of a dataset to their addresses and sizes. There are two families.
 * In a {@link LinearIndex}, every chunk has a number that never changes when the dataset grows, so
 * the records are divided into leaves, each owned by one rank. A {@link TreeIndex} sorts records by
 * chunk coordinates and moves them between nodes when records are added or removed, so one rank is
 * responsible for the whole tree.
 *
 * <p>This interface declares the methods that both families have in common. Instances are
 * immutable.
 */
public sealed interface ChunkIndex permits LinearIndex, TreeIndex {

  ChunkIndexKind kind();

  /** Returns the data layout message that refers to this state of the index. */
  ChunkedLayout layout();

  /** Returns the encoding of the records of this index. */
  RecordFormat records();

  /**
   * Returns the leaf that contains the record of a chunk. A leaf is the unit that one rank owns,
   * loads, edits and encodes.
   *
   * @param scaled the chunk coordinates
   * @throws IllegalArgumentException if the index is linear and the chunk is outside the maximum
   *     extent
   * @throws io.skerry.exception.UnsupportedFeatureException if the index is an extensible array
   *     that is too small to contain the chunk
   */
  LeafId leafOf(long[] scaled);

  /**
   * Returns all file space of the index, sorted by address. The chunks are not included, except
   * those of an implicit index, which are one block.
   *
   * @param source the file, from which the nodes of a tree are read
   */
  List<Block> blocks(ByteSource source);

  /** Visits all records. Intended for tools and independent reads. Local. */
  void forEachRecord(ByteSource source, RecordVisitor visitor);

  /**
   * Returns the stored record of one chunk; empty if there is none. In an array or a version 2
   * B-tree, only the path to the record is read. A version 1 B-tree is read completely, so a caller
   * that needs many records should use {@link #forEachRecord}. Intended for tools and independent
   * reads. Local.
   *
   * @param source the file
   * @param scaled the chunk coordinates, within the maximum extent
   * @throws FormatException if the index is damaged on the path to the record or, in a version 1
   *     B-tree, anywhere
   */
  Optional<ChunkRecord> storedRecord(ByteSource source, long[] scaled);
}
