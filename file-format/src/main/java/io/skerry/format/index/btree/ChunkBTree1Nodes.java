package io.skerry.format.index.btree;

import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.exception.FormatException;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Encodes the nodes of a version 1 B-tree of chunks.
 *
 * <pre>
 * off    bytes field
 * 0      4     "TREE"
 * 4      1     node type, 1
 * 5      1     level, 0 for a leaf
 * 6      2     children in use, n
 * 8      O     left sibling, undefined if none
 * 8+O    O     right sibling, undefined if none
 * 8+2O   .     key[0] | child[0] O | ... | key[n-1] | child[n-1] O | key[n] | unused, up to 2K
 * key:   size u32 | filter mask u32 | element offset u64 for each dimension
 *        | byte offset within an element u64, 0 except in a key after the last chunk
 * </pre>
 *
 * <p>Key i is the key of the first chunk at or below child i. The last key is the first key of the
 * right sibling or, in the rightmost node, a key after the last chunk. A node has space for 2K
 * children. K is stored in a version 1 superblock; in files with a later superblock, it is stored
 * in the superblock extension if it is not the default. There is no checksum. Source: HDF5 File
 * Format Specification 3.0, section III.A.1, "Version 1 B-trees".
 *
 * @param layout the data layout message of the dataset
 * @param filtering the presence of filters; without filters, every stored size must be the size of
 *     a complete chunk, and filter masks are ignored on read
 * @param widths the sizes of offsets and lengths in the file
 * @param halfRank half the maximum number of children of a node, K
 */
public record ChunkBTree1Nodes(
    ChunkedLayout layout, Filtering filtering, Widths widths, int halfRank) {
  static final int TYPE = 1;

  public ChunkBTree1Nodes {
    if (halfRank < 1 || halfRank > 0x7fff) {
      throw new FormatException("K of chunk B-trees", "1 to 32767", halfRank);
    }
  }

  int rank() {
    return layout.chunk().rank();
  }

  int keyBytes() {
    return 8 + 8 * (rank() + 1);
  }

  int headBytes() {
    return 8 + 2 * widths.offset();
  }

  /** Returns the size of a node in bytes. */
  long nodeBytes() {
    int capacity = 2 * halfRank;
    return headBytes() + (long) capacity * widths.offset() + (capacity + 1L) * keyBytes();
  }

  /**
   * Returns the total size in bytes of all nodes except the root, in a tree with the given number
   * of records.
   */
  long bodyBytes(int count) {
    long nodes = 0;
    for (int below = count; below > 2 * halfRank; ) {
      below = Math.ceilDiv(below, 2 * halfRank);
      nodes += below;
    }
    return Math.multiplyExact(nodes, nodeBytes());
  }

  /** A child, with the first chunk at or below it and the record of that chunk. */
  private record Entry(ChunkCoordinates first, ChunkRecord record, long address) {}

  /**
   * Encodes all nodes of a tree.
   *
   * @param records the records by chunk
   * @param root the address of the root
   * @param body the address of the first of the other nodes, if there are any
   */
  List<BlockImage> write(SortedMap<ChunkCoordinates, ChunkRecord> records, long root, long body) {
    List<Entry> entries = new ArrayList<>(records.size());
    for (Map.Entry<ChunkCoordinates, ChunkRecord> record : records.entrySet()) {
      entries.add(new Entry(record.getKey(), record.getValue(), record.getValue().address()));
    }
    List<BlockImage> images = new ArrayList<>();
    Key end = entries.isEmpty() ? new Key(new long[rank() + 1], 0, 0) : after(entries.getLast());
    int level = 0;
    long next = body;
    while (entries.size() > 2 * halfRank) {
      List<Entry> above = level(entries, level, next, end, images);
      next += above.size() * nodeBytes();
      entries = above;
      level++;
    }
    images.add(node(entries, level, FileAddress.UNDEFINED, FileAddress.UNDEFINED, end, root));
    return images;
  }

  /**
   * Encodes one level as evenly filled, contiguous nodes, and returns the entries for these nodes
   * in the level above.
   */
  private List<Entry> level(
      List<Entry> entries, int level, long start, Key end, List<BlockImage> images) {
    int count = Math.ceilDiv(entries.size(), 2 * halfRank);
    List<Entry> above = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) entries.size() * i / count);
      int to = (int) ((long) entries.size() * (i + 1) / count);
      long address = start + i * nodeBytes();
      long left = i == 0 ? FileAddress.UNDEFINED : address - nodeBytes();
      long right = i == count - 1 ? FileAddress.UNDEFINED : address + nodeBytes();
      Key last = to == entries.size() ? end : key(entries.get(to));
      images.add(node(entries.subList(from, to), level, left, right, last, address));
      above.add(new Entry(entries.get(from).first(), entries.get(from).record(), address));
    }
    return above;
  }

  private BlockImage node(
      List<Entry> entries, int level, long left, long right, Key last, long address) {
    ByteWriter out = ByteWriter.create();
    out.text("TREE").u8(TYPE).u8(level).u16(entries.size());
    widths.writeAddress(out, left);
    widths.writeAddress(out, right);
    for (Entry entry : entries) {
      write(key(entry), out);
      widths.writeAddress(out, entry.address());
    }
    write(last, out);
    out.zeros((int) nodeBytes() - out.position());
    return new BlockImage(address, BlockKind.CHUNK_BTREE_NODE, out.written());
  }

  /**
   * A key. The offsets are in elements, except the last, which is the offset in bytes within an
   * element.
   */
  private record Key(long[] offsets, long size, int mask) {}

  private Key key(Entry entry) {
    long[] offsets = new long[rank() + 1];
    for (int i = 0; i < rank(); i++) {
      offsets[i] = Math.multiplyExact(entry.first().at(i), layout.chunk().extent(i));
    }
    SectionTable sections = entry.record().sections();
    return new Key(offsets, sections.size(), sections.filterMask(0));
  }

  /**
   * Returns the last key of the rightmost node as HDF5 writes it: one chunk further in each
   * dimension, with the element size as the offset within an element.
   */
  private Key after(Entry entry) {
    long[] offsets = new long[rank() + 1];
    for (int i = 0; i < rank(); i++) {
      offsets[i] = Math.multiplyExact(entry.first().at(i) + 1, layout.chunk().extent(i));
    }
    offsets[rank()] = layout.elementSize();
    return new Key(offsets, 0, 0);
  }

  private static void write(Key key, ByteWriter out) {
    if (key.size() > 0xffffffffL) {
      throw new FormatException("chunk size in a version 1 B-tree", "below 2^32", key.size());
    }
    out.u32(key.size()).u32(key.mask() & 0xffffffffL);
    for (long offset : key.offsets()) {
      out.u64(offset);
    }
  }
}
