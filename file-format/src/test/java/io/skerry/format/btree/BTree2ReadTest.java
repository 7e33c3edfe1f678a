package io.skerry.format.btree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.format.Interpreter;
import io.skerry.format.block.Block;
import io.skerry.format.block.Widths;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.superblock.TestFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads B-trees that the HDF5 library wrote. */
class BTree2ReadTest {
  @TempDir Path directory;

  private TestFile group(int links) throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    Path path = directory.resolve("links.h5");
    Interpreter.all()
        .get(0)
        .run(
            directory,
            """
            import sys, h5py
            f = h5py.File(sys.argv[1], 'w', libver='latest', track_order=True)
            for i in range(int(sys.argv[2])):
                f['link %d' % i] = h5py.SoftLink('/nowhere')
            """,
            path,
            links);
    return TestFile.open(path);
  }

  private static long hash(MemorySegment record) {
    return ByteReader.of(record, "record").u32();
  }

  private static long order(MemorySegment record) {
    return ByteReader.of(record, "record").i64();
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 45, 700, 20000})
  void every_record_is_visited_in_order_and_found(int links) throws IOException {
    TestFile file = group(links);
    LinkInfoMessage info = file.root().require(LinkInfoMessage.class);
    BTree2 names =
        BTree2.open(file.source(), Widths.EIGHT, info.nameIndexAddress())
            .require(RecordType.LINK_BY_NAME, 11);
    assertEquals(links, names.size());
    List<Long> hashes = new ArrayList<>();
    names.forEach(record -> hashes.add(hash(record)));
    assertEquals(links, hashes.size());
    for (int i = 1; i < links; i++) {
      assertTrue(hashes.get(i - 1) <= hashes.get(i));
    }
    BTree2 orders =
        BTree2.open(file.source(), Widths.EIGHT, info.orderIndexAddress().orElseThrow())
            .require(RecordType.LINK_BY_ORDER, 15);
    long next = 0;
    for (MemorySegment record : orders) {
      assertEquals(next++, order(record));
    }
    assertEquals(links, next);
    for (long i = 0; i < links; i += 7) {
      long sought = i;
      RecordOrder by = record -> Long.compare(order(record), sought);
      assertEquals(i, order(orders.find(by).orElseThrow()));
      Iterator<MemorySegment> rest = orders.from(by);
      assertEquals(i, order(rest.next()));
      assertEquals(i + 1 < links, rest.hasNext());
    }
    assertFalse(orders.find(record -> Long.compare(order(record), links)).isPresent());
    assertFalse(orders.from(record -> Long.compare(order(record), links)).hasNext());
    assertTrue(orders.from(record -> Long.compare(order(record), -5)).hasNext());
  }

  @Test
  void the_nodes_of_a_deep_tree_do_not_overlap() throws IOException {
    TestFile file = group(20000);
    LinkInfoMessage info = file.root().require(LinkInfoMessage.class);
    BTree2 names = BTree2.open(file.source(), Widths.EIGHT, info.nameIndexAddress());
    assertTrue(names.depth() >= 2, "depth " + names.depth());
    long end = 0;
    for (Block block : new TreeSet<>(names.blocks())) {
      assertTrue(block.address() >= end);
      end = block.end();
    }
    assertTrue(end <= file.source().size());
  }

  @Test
  void a_tree_with_other_records_is_refused_with_file_and_address() throws IOException {
    TestFile file = group(20);
    LinkInfoMessage info = file.root().require(LinkInfoMessage.class);
    BTree2 names = BTree2.open(file.source(), Widths.EIGHT, info.nameIndexAddress());
    FormatException e =
        assertThrows(FormatException.class, () -> names.require(RecordType.LINK_BY_ORDER, 15));
    assertEquals("LINK_BY_NAME of 11 bytes", e.actual());
    assertEquals(info.nameIndexAddress(), e.address().orElseThrow());
    assertEquals("memory", e.file().orElseThrow());
  }

  @Test
  void capacities_are_those_of_the_library() {
    BTree2Shape names = BTree2Shape.of(512, 11, Widths.EIGHT);
    assertEquals(45, names.level(0).most());
    assertEquals(1, names.level(0).countBytes());
    // Pointers to leaves take 9 bytes, others 11, because 24 * 45 + 23 records need two bytes.
    assertEquals((512 - 10 - 9) / 20, names.level(1).most());
    assertEquals(2, names.level(1).totalBytes());
    assertEquals((512 - 10 - 11) / 22, names.level(2).most());
    assertEquals(1, BTree2Shape.bytesFor(255));
    assertEquals(2, BTree2Shape.bytesFor(256));
  }
}
