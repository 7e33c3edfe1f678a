package io.skerry.format.index.api;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The records of a chunk B-tree in the file, combined with the changes since the last commit.
 * Mutable; confined to one thread. {@link TreeIndex} describes how changes are written.
 */
public interface ChunkTree {

  /**
   * Returns the record of a chunk; empty if there is none.
   *
   * @throws FormatException if the tree is damaged on the path to the record
   */
  Optional<ChunkRecord> record(ChunkCoordinates chunk);

  /** Sets the record of a chunk, or removes it if {@code record} is empty. */
  void update(ChunkCoordinates chunk, Optional<ChunkRecord> record);

  /**
   * Returns the file space that the changes need and the file space that they free. Repeated calls
   * without an update between them return equal results.
   *
   * @throws FormatException if the tree on disk is damaged
   */
  TreeChange change();

  /**
   * Returns the blocks to write for the changes, located in the space that a commit allocated. May
   * be called repeatedly.
   */
  List<BlockImage> encode(TreeCommit commit);

  /**
   * Returns the tree that results from a commit. All blocks of the commit must already be on disk.
   * This object must not be used afterwards. Reads nothing.
   */
  ChunkTree committed(TreeCommit commit);

  /**
   * Visits the records of the chunks from {@code first} to {@code last} in row-major order,
   * including changes.
   *
   * @param first the first chunk
   * @param last the last chunk, inclusive
   * @param visitor the receiver of each chunk and its record
   */
  void forEach(
      ChunkCoordinates first,
      ChunkCoordinates last,
      BiConsumer<ChunkCoordinates, ChunkRecord> visitor);

  /** Visits the records on disk, excluding later changes, in row-major order of the chunks. */
  void forEachStored(RecordVisitor visitor);

  /** Returns the file space of the tree on disk. */
  List<Block> storedBlocks();
}
