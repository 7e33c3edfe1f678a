package io.skerry.format.btree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Changes version 2 B-trees that have valid checksums but that no library writes. */
class CraftedTreesTest {
  private static final int RECORD = 16;
  private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED;

  private static RecordOrder at(long key) {
    return record -> Long.compare(ByteReader.of(record, "record").i64(), key);
  }

  private static MemorySegment record(long key) {
    return ByteWriter.create().u64(key).u64(0).written();
  }

  private static List<MemorySegment> records(int count) {
    return LongStream.range(0, count).mapToObj(CraftedTreesTest::record).toList();
  }

  @Test
  void a_leaf_without_records_is_refused() {
    SpaceAllocator space = SpaceAllocator.startingAt(0);
    BTree2Parameters parameters = new BTree2Parameters(RecordType.TESTING, 512, RECORD, 100, 40);
    BTree2Editor editor = BTree2Editor.build(parameters, Widths.EIGHT, records(60));
    MemoryFile file = MemoryFile.empty();
    editor.commit(space).forEach(file::write);
    file.grow(space.endOfFile());
    BTree2 tree = BTree2.open(file, Widths.EIGHT, editor.address());
    assertEquals(1, tree.depth());
    NodePointer root = tree.header().root();
    MemorySegment bytes = MemorySegment.ofArray(file.toArray());
    long counted = root.address() + 6 + (long) root.records() * RECORD + 8;
    NodePointer leaf = tree.node(1, root).children().getFirst();
    assertEquals(leaf.records(), bytes.get(ValueLayout.JAVA_BYTE, counted));
    // The first leaf loses its records, and the total number of records is adjusted.
    bytes.set(ValueLayout.JAVA_BYTE, counted, (byte) 0);
    long total = root.total() - leaf.records();
    bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, editor.address() + 26, total);
    seal(bytes, editor.address(), BTree2Header.size(Widths.EIGHT));
    seal(
        bytes,
        root.address(),
        BTree2Node.used(tree.header().parameters().shape(Widths.EIGHT), 1, root).length());
    seal(bytes, leaf.address(), 10);
    BTree2 crafted =
        BTree2.open(
            MemoryFile.of(bytes.toArray(ValueLayout.JAVA_BYTE)), Widths.EIGHT, editor.address());
    FormatException e =
        assertThrows(
            FormatException.class, () -> BTree2Editor.open(crafted).delete(at(leaf.records())));
    assertTrue(e.getMessage().contains("records of a node at level 0"), e.getMessage());
  }

  @Test
  void a_root_above_which_no_node_has_room_is_not_split() {
    BTree2Parameters parameters = new BTree2Parameters(RecordType.TESTING, 42, RECORD, 100, 1);
    BTree2Editor editor = BTree2Editor.build(parameters, Widths.EIGHT, records(2));
    FormatException e = assertThrows(FormatException.class, () -> editor.insert(record(7), at(7)));
    assertTrue(
        e.getMessage().contains("levels of a B-tree with nodes of 42 bytes"), e.getMessage());
  }

  private static void seal(MemorySegment bytes, long from, long length) {
    bytes.set(U32, from + length - 4, Lookup3.checksum(bytes.asSlice(from, length - 4)));
  }
}
