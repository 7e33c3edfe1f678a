package io.skerry.format.index;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.space.GridPoint;
import io.skerry.format.Block;
import io.skerry.format.BlockImage;
import io.skerry.format.ByteSource;
import io.skerry.format.FileAddress;
import io.skerry.format.Widths;
import io.skerry.format.object.IndexInfo;
import io.skerry.format.tree.BTree2;
import io.skerry.format.tree.RecordType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Version 2 B-tree of chunks: the records of {@link RecordFormat}, with the coordinates of the
 * chunk, in a generic tree.
 *
 * @param info what the layout says of the tree
 * @param records how a record looks
 * @param rank dimensions of the dataset
 * @param widths of the file
 */
record VersionTwoNodes(IndexInfo.VersionTwoTree info, RecordFormat records, int rank, Widths widths)
    implements TreeNodes {

  RecordType type() {
    return switch (records.clientId()) {
      case 0 -> RecordType.CHUNK;
      case 1 -> RecordType.CHUNK_FILTERED;
      case 2 -> RecordType.STRUCTURED_CHUNK;
      default -> RecordType.STRUCTURED_CHUNK_FILTERED;
    };
  }

  @Override
  public ChunkTree read(ByteSource source, long anchor) {
    TreeMap<GridPoint, ChunkRecord> found = new TreeMap<>();
    if (!FileAddress.isDefined(anchor)) {
      return new ChunkTree(found, List.of());
    }
    BTree2 tree = BTree2.open(source, widths, anchor).require(type(), records.treeSize(rank));
    long[] scaled = new long[rank];
    for (MemorySegment record : tree) {
      ByteReader in = ByteReader.of(record, "chunk record");
      ChunkRecord chunk = records.decode(in, scaled);
      GridPoint at = GridPoint.of(scaled);
      if (!found.isEmpty() && at.compareTo(found.lastKey()) <= 0) {
        throw new FormatException("chunk in a B-tree", "after " + found.lastKey(), at);
      }
      found.put(at, chunk);
    }
    List<Block> blocks = tree.blocks();
    return new ChunkTree(found, blocks.subList(1, blocks.size()));
  }

  @Override
  public long anchorBytes() {
    return 22L + widths.offset() + widths.length();
  }

  @Override
  public long bodyBytes(int count) {
    throw notYet();
  }

  @Override
  public List<BlockImage> write(SortedMap<GridPoint, ChunkRecord> found, long anchor, long body) {
    throw notYet();
  }

  private static UnsupportedFeatureException notYet() {
    return new UnsupportedFeatureException("changing a version 2 B-tree of chunks", "chunk index");
  }
}
