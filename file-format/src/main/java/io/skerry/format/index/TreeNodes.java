package io.skerry.format.index;

import io.skerry.chunk.space.GridPoint;
import io.skerry.format.BlockImage;
import io.skerry.format.ByteSource;
import java.util.List;
import java.util.SortedMap;

/**
 * The nodes of one kind of chunk B-tree. Its anchor is the block that the layout message names,
 * which stays where it is; its body is all other nodes.
 */
sealed interface TreeNodes permits VersionOneNodes, VersionTwoNodes {
  /**
   * The whole tree.
   *
   * @param anchor where it is; undefined for an empty tree
   */
  ChunkTree read(ByteSource source, long anchor);

  /** Bytes of the anchor. */
  long anchorBytes();

  /** Bytes of the body of a tree of so many records. */
  long bodyBytes(int count);

  /**
   * The blocks of a whole tree.
   *
   * @param body address of the body; undefined if it has no bytes
   */
  List<BlockImage> write(SortedMap<GridPoint, ChunkRecord> records, long anchor, long body);
}
