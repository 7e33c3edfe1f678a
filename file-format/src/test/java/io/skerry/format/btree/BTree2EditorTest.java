package io.skerry.format.btree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares changed B-trees with a sorted map. */
class BTree2EditorTest {
  private static final int RECORD = 16;

  private static BTree2Parameters parameters(int nodeSize, int split, int merge) {
    return new BTree2Parameters(RecordType.TESTING, nodeSize, RECORD, split, merge);
  }

  private static MemorySegment record(long key, long value) {
    return ByteWriter.create().u64(key).u64(value).written();
  }

  private static long key(MemorySegment record) {
    return ByteReader.of(record, "record").i64();
  }

  private static RecordOrder at(long key) {
    return record -> Long.compare(key(record), key);
  }

  /** A file that contains a B-tree and nothing else. */
  private static final class TreeFile {
    private final SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    private final MemoryFile file = MemoryFile.empty();
    private final BTree2Parameters parameters;
    private long address = -1;

    TreeFile(BTree2Parameters parameters) {
      this.parameters = parameters;
    }

    void commit(BTree2Editor editor) {
      for (BlockImage image : editor.commit(allocator)) {
        file.write(image);
      }
      file.grow(allocator.endOfFile());
      allocator.commitFrees();
      address = editor.address();
    }

    BTree2 tree() {
      return BTree2.open(file, Widths.EIGHT, address).require(RecordType.TESTING, RECORD);
    }

    void check(TreeMap<Long, Long> model) {
      BTree2 tree = tree();
      assertEquals(model.size(), tree.size());
      List<Map.Entry<Long, Long>> expected = new ArrayList<>(model.entrySet());
      int next = 0;
      for (MemorySegment record : tree) {
        ByteReader in = ByteReader.of(record, "record");
        assertEquals(expected.get(next).getKey(), in.i64());
        assertEquals(expected.get(next++).getValue(), in.i64());
      }
      assertEquals(expected.size(), next);
      if (tree.header().root().isDefined()) {
        limits(tree, tree.depth(), tree.header().root(), new BTree2Limits(shape(), parameters));
      }
      space(tree);
    }

    private BTree2Shape shape() {
      return parameters.shape(Widths.EIGHT);
    }

    private void limits(BTree2 tree, int level, NodePointer at, BTree2Limits limits) {
      BTree2Node node = tree.node(level, at);
      assertTrue(node.count() <= limits.most(level), "records " + node.count());
      for (NodePointer child : node.children()) {
        assertTrue(child.records() >= limits.fewest(level - 1), "records " + child.records());
        limits(tree, level - 1, child, limits);
      }
    }

    /** Checks that blocks and holes fill the file without overlap. */
    private void space(BTree2 tree) {
      TreeSet<Block> all = new TreeSet<>(tree.blocks());
      all.addAll(allocator.holes());
      long end = 0;
      for (Block block : all) {
        assertEquals(end, block.address());
        end = block.end();
      }
      assertEquals(allocator.endOfFile(), end);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "85, 100, 40, 1",
    "90, 100, 40, 2",
    "110, 100, 40, 3",
    "200, 100, 40, 4",
    "512, 100, 40, 5",
    "160, 80, 10, 6",
    "400, 50, 20, 7"
  })
  void random_changes_match_those_of_a_sorted_map(int nodeSize, int split, int merge, long seed) {
    TreeFile treeFile = new TreeFile(parameters(nodeSize, split, merge));
    Random random = new Random(seed);
    TreeMap<Long, Long> model = new TreeMap<>();
    BTree2Editor editor = BTree2Editor.build(treeFile.parameters, Widths.EIGHT, List.of());
    int grown = 0;
    for (int i = 0; i < 6000; i++) {
      boolean shrinking = i / 1000 % 2 == 1;
      long key = random.nextInt(2000);
      boolean add = random.nextInt(10) < (shrinking ? 2 : 8);
      if (add && model.containsKey(key)) {
        editor.replace(record(key, i), at(key));
        model.put(key, (long) i);
      } else if (add) {
        editor.insert(record(key, i), at(key));
        model.put(key, (long) i);
      } else {
        Optional<Long> expected = Optional.ofNullable(model.remove(key));
        assertEquals(expected.isPresent(), editor.delete(at(key)).isPresent());
      }
      assertEquals(model.containsKey(key), editor.find(at(key)).isPresent());
      if (random.nextInt(200) == 0) {
        treeFile.commit(editor);
        treeFile.check(model);
        grown = Math.max(grown, treeFile.tree().depth());
        if (random.nextBoolean()) {
          editor = BTree2Editor.open(treeFile.tree());
        }
      }
    }
    assertTrue(grown > 1, "depth " + grown);
    for (long key : new ArrayList<>(model.keySet())) {
      assertTrue(editor.delete(at(key)).isPresent());
    }
    model.clear();
    treeFile.commit(editor);
    treeFile.check(model);
    assertEquals(1, treeFile.tree().blocks().size());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 2, 44, 45, 46, 91, 92, 1079, 1080, 1103, 1104, 2159, 20000, 26519, 30000})
  void a_bulk_loaded_tree_is_within_the_limits(int count) {
    TreeFile treeFile = new TreeFile(parameters(512, 100, 40));
    List<MemorySegment> sorted = new ArrayList<>();
    TreeMap<Long, Long> model = new TreeMap<>();
    for (long i = 0; i < count; i++) {
      sorted.add(record(i * 3, i));
      model.put(i * 3, i);
    }
    treeFile.commit(BTree2Editor.build(treeFile.parameters, Widths.EIGHT, sorted));
    treeFile.check(model);
  }

  @Test
  void a_change_of_a_large_tree_touches_one_path() {
    TreeFile treeFile = new TreeFile(parameters(512, 100, 40));
    List<MemorySegment> sorted = new ArrayList<>();
    for (long i = 0; i < 30000; i++) {
      sorted.add(record(i * 2, i));
    }
    treeFile.commit(BTree2Editor.build(treeFile.parameters, Widths.EIGHT, sorted));
    BTree2Editor editor = BTree2Editor.open(treeFile.tree());
    assertTrue(editor.commit(treeFile.allocator).isEmpty());
    editor.replace(record(20, 7), at(20));
    List<BlockImage> images = editor.commit(treeFile.allocator);
    assertEquals(2, images.size());
    editor.delete(at(20));
    editor.insert(record(21, 9), at(21));
    assertTrue(editor.commit(treeFile.allocator).size() <= 2 * treeFile.tree().depth() + 3);
  }

  @Test
  void the_bytes_of_a_small_tree_are_golden() {
    TreeFile treeFile = new TreeFile(new BTree2Parameters(RecordType.TESTING, 40, 8, 100, 40));
    List<MemorySegment> sorted = new ArrayList<>();
    for (long i = 1; i <= 2; i++) {
      sorted.add(ByteWriter.create().u64(i).written());
    }
    treeFile.commit(BTree2Editor.build(treeFile.parameters, Widths.EIGHT, sorted));
    String header =
        "42544844"
            + "00"
            + "00"
            + "28000000"
            + "0800"
            + "0000"
            + "64"
            + "28"
            + "2600000000000000"
            + "0200"
            + "0200000000000000";
    String leaf = "42544c46" + "00" + "00" + "0100000000000000" + "0200000000000000";
    String bytes = HexFormat.of().formatHex(treeFile.file.toArray());
    assertEquals(header, bytes.substring(0, header.length()));
    assertEquals(leaf, bytes.substring(2 * 38, 2 * 38 + leaf.length()));
    assertEquals(2 * (38 + 40), bytes.length());
    // Unused bytes follow the checksum.
    assertEquals("0".repeat(28), bytes.substring(2 * (38 + 26)));
  }

  @Test
  void an_existing_record_is_not_added_again() {
    BTree2Editor editor =
        BTree2Editor.build(parameters(512, 100, 40), Widths.EIGHT, List.of(record(1, 1)));
    assertThrows(IllegalArgumentException.class, () -> editor.insert(record(1, 2), at(1)));
    assertThrows(IllegalArgumentException.class, () -> editor.replace(record(2, 2), at(2)));
    MemorySegment short8 = ByteWriter.create().u64(5).written();
    assertThrows(IllegalArgumentException.class, () -> editor.insert(short8, at(5)));
    assertFalse(editor.delete(at(3)).isPresent());
    assertEquals(1, editor.size());
  }

  @Test
  void parameters_that_permit_no_changes_are_refused() {
    for (BTree2Parameters bad :
        List.of(parameters(512, 100, 50), parameters(512, 0, 0), parameters(30, 100, 40))) {
      assertThrows(FormatException.class, () -> BTree2Editor.build(bad, Widths.EIGHT, List.of()));
    }
  }
}
