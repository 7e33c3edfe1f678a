package io.skerry.format.symboltable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Interpreter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPlacement;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.ObjectHeaderWriter;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.superblock.EarlyFields;
import io.skerry.format.superblock.Superblock;
import io.skerry.format.superblock.SymbolEntry;
import io.skerry.format.superblock.TreeOrders;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SymbolTableWriterTest {
  @TempDir Path directory;

  private static List<LinkMessage> links(Random random, int count, long target) {
    List<LinkMessage> links = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = (random.nextBoolean() ? "" : "längerer Name ") + Integer.toString(i * 7919, 36);
      links.add(
          LinkMessage.of(
              name,
              random.nextInt(4) == 0
                  ? new LinkTarget.Soft("/somewhere/" + i)
                  : new LinkTarget.Hard(target)));
    }
    return links;
  }

  private static List<LinkMessage> sorted(List<LinkMessage> links) {
    return links.stream()
        .sorted(
            Comparator.comparing(
                link -> link.name().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned))
        .toList();
  }

  private static MemoryFile file(List<BlockImage> images) {
    MemoryFile file = MemoryFile.empty();
    images.forEach(file::write);
    return file;
  }

  @Test
  void every_table_is_read_back_in_order_and_by_name_and_returns_its_space() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      TreeOrders orders = new TreeOrders(1 + random.nextInt(5), 1 + random.nextInt(5), 32);
      Widths widths = random.nextBoolean() ? Widths.EIGHT : new Widths(4, 8);
      int count = seed < 5 ? seed : random.nextInt(700);
      List<LinkMessage> links = links(random, count, 96);
      SpaceAllocator allocator = SpaceAllocator.startingAt(random.nextInt(100));
      long start = allocator.endOfFile();
      SymbolTableWriter.Table table = new SymbolTableWriter(orders, widths, allocator).write(links);
      MemoryFile file = file(table.images());
      SymbolTable read = SymbolTable.open(file, widths, table.message());
      assertEquals(sorted(links), read.links());
      for (LinkMessage link : links) {
        assertEquals(Optional.of(link), read.link(link.name()));
        assertEquals(Optional.empty(), read.link(link.name() + "!"));
      }
      assertEquals(Optional.empty(), read.link(""));
      long bytes = 0;
      for (Block block : read.blocks(orders)) {
        allocator.free(block);
        bytes += block.length();
      }
      assertEquals(allocator.endOfFile() - start, bytes);
    }
  }

  @Test
  void a_node_has_no_more_links_than_it_can_count() {
    TreeOrders orders = new TreeOrders(65_535, 1, 32);
    List<LinkMessage> links = new ArrayList<>();
    for (int i = 0; i < 70_000; i++) {
      links.add(LinkMessage.of(String.format("%05d", i), new LinkTarget.Hard(96)));
    }
    SymbolTableWriter.Table table =
        new SymbolTableWriter(orders, Widths.EIGHT, SpaceAllocator.startingAt(0)).write(links);
    SymbolTable read = SymbolTable.open(file(table.images()), Widths.EIGHT, table.message());
    assertEquals(links, read.links());
  }

  @Test
  void links_that_symbol_tables_cannot_store_are_refused() {
    LinkMessage external = LinkMessage.of("x", new LinkTarget.External("f", "/p"));
    SymbolTableWriter writer =
        new SymbolTableWriter(TreeOrders.DEFAULT, Widths.EIGHT, SpaceAllocator.startingAt(0));
    assertThrows(UnsupportedFeatureException.class, () -> writer.write(List.of(external)));
  }

  /** Returns a file with superblock 0 that has only a root group. */
  private static MemoryFile earliest(List<LinkMessage> links, TreeOrders orders) {
    SymbolEntry nowhere = SymbolEntry.hard(0, 0);
    SpaceAllocator allocator = SpaceAllocator.startingAt(Superblock.earliest(0, nowhere).size());
    SymbolTableWriter.Table table =
        new SymbolTableWriter(orders, Widths.EIGHT, allocator).write(links);
    ObjectHeaderWriter header = new ObjectHeaderWriter(HeaderPrefix.earliest(1), Widths.EIGHT);
    List<HeaderMessage> messages = List.of(HeaderMessage.of(table.message()));
    HeaderPlacement place = header.reserve(messages, 40, allocator);
    MemoryFile file = file(table.images());
    header.write(messages, place, allocator).blocks().forEach(file::write);
    SymbolEntry root =
        new SymbolEntry(
            0,
            place.first().address(),
            new SymbolEntry.OfGroup(table.message().treeAddress(), table.message().heapAddress()));
    Superblock superblock =
        new Superblock(
            0,
            Widths.EIGHT,
            0,
            FileAddress.UNDEFINED,
            allocator.endOfFile(),
            root.headerAddress(),
            Optional.of(new EarlyFields(orders, FileAddress.UNDEFINED, root)));
    ByteWriter out = ByteWriter.create();
    superblock.encode(out);
    file.write(0, out.written());
    file.grow(allocator.endOfFile());
    return file;
  }

  @Test
  void h5py_reads_written_tables_and_adds_links() throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    Map<Path, List<LinkMessage>> tables = new LinkedHashMap<>();
    for (TreeOrders orders :
        List.of(TreeOrders.DEFAULT, new TreeOrders(1, 1, 32), new TreeOrders(3, 2, 32))) {
      for (int count : new int[] {0, 1, 8, 9, 400}) {
        List<LinkMessage> links = links(new Random(count), count, 96);
        links.replaceAll(link -> LinkMessage.of(link.name(), new LinkTarget.Soft("/x")));
        Path path = directory.resolve("table " + tables.size() + ".h5");
        earliest(links, orders).save(path);
        tables.put(path, sorted(links));
      }
    }
    for (Interpreter python : Interpreter.all()) {
      String names =
          python.run(
              directory,
              """
              import h5py, sys
              for path in sys.argv[1:]:
                  with h5py.File(path, 'r') as f:
                      print(path, *[name for name in f], sep='\\n')
                  with h5py.File(path, 'r+') as f:
                      for i in range(300):
                          f['added %d' % i] = h5py.SoftLink('/y')
                          del f['added %d' % (i // 2)]
                          f['added %d' % (i // 2)] = h5py.SoftLink('/z')
                      for i in range(300):
                          del f['added %d' % i]
              """,
              tables.keySet().toArray());
      List<String> expected = new ArrayList<>();
      tables.forEach((path, links) -> {
        expected.add(path.toString());
        links.forEach(link -> expected.add(link.name()));
      });
      assertEquals(expected, names.lines().toList(), python.toString());
      for (Map.Entry<Path, List<LinkMessage>> table : tables.entrySet()) {
        FormatFile again = FormatFile.open(MemoryFile.load(table.getKey()));
        assertEquals(table.getValue(), again.links(again.root()));
      }
    }
  }

  @Test
  void a_root_group_with_a_damaged_message_is_found_through_the_superblock() {
    List<LinkMessage> links = links(new Random(5), 30, 96);
    MemoryFile file = earliest(links, TreeOrders.DEFAULT);
    FormatFile whole = FormatFile.open(file);
    long header = whole.root().address();
    byte[] bytes = file.toArray();
    // This byte belongs to the heap address in the only message.
    bytes[(int) header + 16 + 8 + 8] ^= 0x10;
    FormatFile damaged = FormatFile.open(MemoryFile.of(bytes));
    assertEquals(sorted(links), damaged.links(damaged.root()));
  }

  @Test
  void cycles_wrong_levels_and_wrong_offsets_are_refused() {
    TreeOrders orders = new TreeOrders(1, 1, 32);
    SpaceAllocator allocator = SpaceAllocator.startingAt(8);
    SymbolTableWriter.Table table =
        new SymbolTableWriter(orders, Widths.EIGHT, allocator).write(links(new Random(1), 40, 96));
    SymbolTableMessage message = table.message();
    int root = (int) message.treeAddress();
    byte[] circle = file(table.images()).toArray();
    long child = at(circle, root + 24 + 8);
    put(circle, root + 24 + 8, root);
    refuses(circle, message, "twice");
    byte[] twice = file(table.images()).toArray();
    put(twice, root + 24 + 24, child);
    refuses(twice, message, "twice");
    byte[] level = file(table.images()).toArray();
    level[root + 5] = (byte) 200;
    refuses(level, message, "level");
    byte[] outside = file(table.images()).toArray();
    put(outside, root + 24 + 8, 1L << 40);
    refuses(outside, message, "beyond the end");
    byte[] count = file(table.images()).toArray();
    count[root + 7] = (byte) 0xff;
    refuses(count, message, "beyond the end");
    byte[] heap = file(table.images()).toArray();
    put(heap, (int) message.heapAddress() + 8, 1L << 50);
    refuses(heap, message, "data segment");
    put(heap, (int) message.heapAddress() + 8, 16);
    refuses(heap, message, "offset in a local heap");
  }

  @Test
  void keys_out_of_order_are_refused_when_a_link_is_looked_up() {
    List<LinkMessage> links = links(new Random(1), 40, 96);
    SymbolTableWriter.Table table =
        new SymbolTableWriter(new TreeOrders(1, 1, 32), Widths.EIGHT, SpaceAllocator.startingAt(8))
            .write(links);
    byte[] bytes = file(table.images()).toArray();
    int key = (int) table.message().treeAddress() + 24 + 16;
    long second = at(bytes, key);
    put(bytes, key, at(bytes, key + 16));
    put(bytes, key + 16, second);
    SymbolTable damaged = SymbolTable.open(MemoryFile.of(bytes), Widths.EIGHT, table.message());
    for (LinkMessage link : links) {
      FormatException refused =
          assertThrows(FormatException.class, () -> damaged.link(link.name()));
      assertTrue(refused.getMessage().contains("order of keys"), refused.getMessage());
    }
  }

  private static void refuses(byte[] bytes, SymbolTableMessage message, String reason) {
    FormatException refused =
        assertThrows(
            FormatException.class,
            () -> SymbolTable.open(MemoryFile.of(bytes), Widths.EIGHT, message).links());
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
  }

  private static long at(byte[] bytes, int offset) {
    return MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
  }

  private static void put(byte[] bytes, int offset, long value) {
    MemorySegment.ofArray(bytes).set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
  }
}
