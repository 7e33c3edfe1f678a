package io.skerry.format.index.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.SectionTable;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.index.ChunkIndexes;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChunkTreeTest {
  private static final Shape SHAPE = Shape.of(10, 10).unlimited(0).unlimited(1);
  private static final Shape CHUNK = Shape.of(2, 3);

  private static TreeIndex create(ChunkIndexKind kind) {
    ChunkedLayout layout =
        kind == ChunkIndexKind.BTREE_1
            ? ChunkedLayout.earliest(SHAPE, CHUNK, 4)
            : ChunkedLayout.dense(SHAPE, CHUNK, 4, Filtering.FILTERED);
    return (TreeIndex) ChunkIndexes.create(layout, SHAPE, Filtering.FILTERED, Widths.EIGHT);
  }

  private static TreeIndex reopened(TreeIndex index, MemoryFile file) {
    return (TreeIndex)
        ChunkIndexes.open(index.layout(), SHAPE, Filtering.FILTERED, Widths.EIGHT, file);
  }

  private static Map<ChunkCoordinates, ChunkRecord> contents(TreeIndex index, MemoryFile file) {
    Map<ChunkCoordinates, ChunkRecord> found = new TreeMap<>();
    index.forEachRecord(file, (scaled, record) -> found.put(ChunkCoordinates.of(scaled), record));
    return found;
  }

  /** Commits as the index owner and as another rank; both must get equal results. */
  private static TreeCommit commit(
      TreeIndex index, ChunkTree tree, MemoryFile file, SpaceAllocator allocator) {
    TreeChange change = tree.change();
    assertEquals(change, tree.change());
    TreeCommit commit = index.commit(change, allocator);
    tree.encode(commit).forEach(file::write);
    file.grow(allocator.endOfFile());
    allocator.commitFrees();
    return commit;
  }

  @ParameterizedTest
  @EnumSource(
      value = ChunkIndexKind.class,
      names = {"BTREE_1", "BTREE_2"})
  void random_commits_match_those_of_a_map(ChunkIndexKind kind) {
    for (int run = 0; run < 12; run++) {
      Random random = new Random(run);
      MemoryFile file = MemoryFile.empty();
      SpaceAllocator allocator = SpaceAllocator.startingAt(64);
      file.grow(64);
      TreeIndex index = create(kind);
      assertEquals(kind, index.kind());
      ChunkTree tree = index.load(file);
      Map<ChunkCoordinates, ChunkRecord> model = new TreeMap<>();
      int side = 1 + random.nextInt(60);
      for (int round = 0; round < 8; round++) {
        int changes = random.nextInt(side * side);
        for (int i = 0; i < changes; i++) {
          ChunkCoordinates chunk = ChunkCoordinates.of(random.nextInt(side), random.nextInt(side));
          if (random.nextInt(3) == 0) {
            tree.update(chunk, Optional.empty());
            model.remove(chunk);
          } else {
            ChunkRecord record =
                new ChunkRecord(
                    random.nextInt(1 << 30),
                    SectionTable.filtered(1 + random.nextInt(30), random.nextInt(4)));
            tree.update(chunk, Optional.of(record));
            model.put(chunk, record);
          }
          assertEquals(Optional.ofNullable(model.get(chunk)), tree.record(chunk));
        }
        TreeCommit commit = commit(index, tree, file, allocator);
        index = commit.index();
        tree = random.nextBoolean() ? tree.committed(commit) : reopened(index, file).load(file);
        assertEquals(model, contents(index, file));
        check(index.blocks(file), allocator);
      }
    }
  }

  /** Checks that the tree and the holes fill the file without overlap. */
  private static void check(List<Block> blocks, SpaceAllocator allocator) {
    long used = 64;
    for (int i = 0; i < blocks.size(); i++) {
      used += blocks.get(i).length();
      assertTrue(i == 0 || blocks.get(i - 1).end() <= blocks.get(i).address(), blocks::toString);
    }
    long free = allocator.holes().stream().mapToLong(Block::length).sum();
    assertEquals(allocator.endOfFile(), used + free);
  }

  @Test
  void a_chunk_with_element_coordinates_above_two_to_the_63_is_refused() {
    MemoryFile file = MemoryFile.empty();
    SpaceAllocator allocator = SpaceAllocator.startingAt(64);
    file.grow(64);
    TreeIndex index = create(ChunkIndexKind.BTREE_2);
    ChunkTree tree = index.load(file);
    long last = Long.MAX_VALUE / CHUNK.extent(0);
    ChunkRecord record = new ChunkRecord(64, SectionTable.filtered(1, 0));
    tree.update(ChunkCoordinates.of(last - 1, 0), Optional.of(record));
    tree.update(ChunkCoordinates.of(last, 0), Optional.of(record));
    TreeIndex stored = reopened(commit(index, tree, file, allocator).index(), file);
    assertThrows(FormatException.class, () -> contents(stored, file));
    assertThrows(
        FormatException.class, () -> stored.load(file).record(ChunkCoordinates.of(last, 0)));
  }

  @ParameterizedTest
  @EnumSource(
      value = ChunkIndexKind.class,
      names = {"BTREE_1", "BTREE_2"})
  void a_node_beyond_the_end_of_the_file_is_refused_when_it_is_freed(ChunkIndexKind kind) {
    TreeChange change = new TreeChange(0, List.of(new Block(32, 64)));
    SpaceAllocator allocator = SpaceAllocator.startingAt(64);
    assertThrows(FormatException.class, () -> create(kind).commit(change, allocator));
  }

  @Test
  void a_damaged_version_1_tree_is_refused_or_reads_in_order() {
    MemoryFile file = MemoryFile.empty();
    SpaceAllocator allocator = SpaceAllocator.startingAt(64);
    TreeIndex index = create(ChunkIndexKind.BTREE_1);
    ChunkTree tree = index.load(file);
    for (int i = 0; i < 200; i++) {
      ChunkRecord record = new ChunkRecord(5000 + i, SectionTable.filtered(20, 0));
      tree.update(ChunkCoordinates.of(i / 10, i % 10), Optional.of(record));
    }
    TreeIndex stored = commit(index, tree, file, allocator).index();
    List<Block> blocks = stored.blocks(file);
    Random random = new Random(3);
    int refused = 0;
    for (int run = 0; run < 2000; run++) {
      Block block = blocks.get(random.nextInt(blocks.size()));
      long at = block.address() + random.nextInt((int) block.length());
      MemorySegment bytes = file.read(at, 1);
      byte before = bytes.get(ValueLayout.JAVA_BYTE, 0);
      file.write(at, MemorySegment.ofArray(new byte[] {(byte) (before ^ 1 << random.nextInt(8))}));
      try {
        assertTrue(contents(stored, file).size() <= 200);
      } catch (FormatException e) {
        refused++;
      }
      file.write(at, MemorySegment.ofArray(new byte[] {before}));
    }
    assertTrue(refused > 500, "refused: " + refused);
    assertEquals(200, contents(stored, file).size());
  }

  @Test
  void a_version_1_tree_with_a_cycle_is_refused() {
    MemoryFile file = MemoryFile.empty();
    SpaceAllocator allocator = SpaceAllocator.startingAt(64);
    TreeIndex index = create(ChunkIndexKind.BTREE_1);
    ChunkTree tree = index.load(file);
    for (int i = 0; i < 100; i++) {
      ChunkRecord record = new ChunkRecord(5000 + i, SectionTable.filtered(20, 0));
      tree.update(ChunkCoordinates.of(0, i), Optional.of(record));
    }
    TreeIndex stored = commit(index, tree, file, allocator).index();
    long root = stored.layout().index().address();
    // The second child of the root is replaced by the first.
    long firstChild = root + 8 + 16 + 32;
    MemorySegment child =
        MemorySegment.ofArray(file.read(firstChild, 8).toArray(ValueLayout.JAVA_BYTE));
    file.write(firstChild + 40, child);
    FormatException refused = assertThrows(FormatException.class, () -> stored.load(file));
    assertTrue(refused.getMessage().contains("reached once"), refused.getMessage());
  }
}
