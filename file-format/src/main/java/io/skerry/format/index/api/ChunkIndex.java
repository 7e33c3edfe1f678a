package io.skerry.format.index.api;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import java.util.List;
import java.util.Optional;

/**
 * Where the chunks of a dataset are. Of two families: in a {@link LinearIndex} every chunk has a
 * number that growth never changes, so its records are cut into leaves that many ranks share; a
 * {@link TreeIndex} sorts its records by the coordinates of the chunks, moves them from node to
 * node as others come, and so belongs to one rank as a whole.
 *
 * <p>What the two share is here: what every rank knows without reading a record, and local walks
 * over all records. Instances are immutable.
 */
public sealed interface ChunkIndex permits LinearIndex, TreeIndex {

  /** The kind. */
  ChunkIndexKind kind();

  /** The layout message that leads to this state of the index. */
  ChunkedLayout layout();

  /** How records look in this index. */
  RecordFormat records();

  /**
   * The leaf that holds a chunk's record: the unit that one rank owns, loads, edits and encodes.
   *
   * @param scaled chunk coordinates
   * @throws IllegalArgumentException if outside the maximum extent
   */
  LeafId leafOf(long[] scaled);

  /**
   * All space that the index takes, sorted by address: what to free with the dataset. Chunks are
   * not among it, except those of an implicit index, which are one block with it.
   *
   * @param source the file; a tree is read to find its nodes
   */
  List<Block> blocks(ByteSource source);

  /** Visits all records. For tools and independent reads; local. */
  void forEachRecord(ByteSource source, RecordVisitor visitor);

  /**
   * The record of one chunk as it is on disk. An array and a version 2 tree are read along the way
   * to it, a version 1 tree as a whole: visit all to see many. For tools and independent reads;
   * local.
   *
   * @param scaled chunk coordinates inside the maximum extent
   * @throws FormatException if the index is damaged on the way to it
   */
  Optional<ChunkRecord> storedRecord(ByteSource source, long[] scaled);
}
