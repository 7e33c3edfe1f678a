package io.skerry.format.index.api;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The records of a chunk B-tree, as its home rank has them: what is in the file, and the changes
 * since. Mutable, for one thread. {@link TreeIndex} tells how a change gets to disk.
 */
public interface ChunkTree {

  /**
   * Where a chunk is.
   *
   * @throws FormatException if the tree is damaged on the way to it
   */
  Optional<ChunkRecord> record(ChunkCoordinates chunk);

  /** Sets a chunk's record, or removes it. */
  void update(ChunkCoordinates chunk, Optional<ChunkRecord> record);

  /**
   * What the changes ask of the file's space. May be asked again, with the same answer.
   *
   * @throws FormatException if the tree on disk is damaged
   */
  TreeChange change();

  /** The blocks to write for the changes, in the space that a commit gave. May be asked again. */
  List<BlockImage> encode(TreeCommit commit);

  /**
   * The tree after a commit whose blocks are on disk; this one is not to be used any more. Reads
   * nothing.
   */
  ChunkTree committed(TreeCommit commit);

  /**
   * Visits the records from one chunk to another, changes included, in row-major order of the
   * chunks.
   *
   * @param first whose record is the first
   * @param last whose record is the last
   */
  void forEach(
      ChunkCoordinates first,
      ChunkCoordinates last,
      BiConsumer<ChunkCoordinates, ChunkRecord> visitor);

  /** Visits the records on disk in row-major order of the chunks, without later changes. */
  void forEachStored(RecordVisitor visitor);

  /** The space of the tree on disk. */
  List<Block> storedBlocks();
}
