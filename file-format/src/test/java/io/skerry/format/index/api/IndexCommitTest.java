package io.skerry.format.index.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.SectionTable;
import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.index.ChunkIndexes;
import io.skerry.format.index.SingleChunkIndex;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.EdgeChunks;
import io.skerry.format.layout.ExtensibleArrayParameters;
import io.skerry.format.layout.Filtering;
import io.skerry.format.layout.IndexInfo;
import io.skerry.format.layout.LayoutForm;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests commits of leaves and spine, and compares the reopened index with a map. */
class IndexCommitTest {
  private static final Shape CHUNK = Shape.of(2, 3);

  private record Case(ChunkedLayout layout, Shape shape, Filtering filtering, Widths widths) {}

  private static Case random(Random random) {
    LayoutForm[] forms = {
      LayoutForm.VERSION_4, LayoutForm.VERSION_5, LayoutForm.SPARSE, LayoutForm.SPARSE_VARIABLE
    };
    LayoutForm form = forms[random.nextInt(forms.length)];
    Filtering filtering = random.nextBoolean() ? Filtering.FILTERED : Filtering.UNFILTERED;
    Widths widths = random.nextInt(4) == 0 ? new Widths(4, 4) : Widths.EIGHT;
    boolean fixed = random.nextBoolean();
    long columns = 1 + random.nextInt(40);
    long rows = 1 + random.nextInt(400);
    IndexInfo info =
        fixed
            ? new IndexInfo.FixedArray(1 + random.nextInt(8), FileAddress.UNDEFINED)
            : new IndexInfo.ExtensibleArray(parameters(random), FileAddress.UNDEFINED);
    Shape shape =
        random.nextBoolean()
            ? Shape.of(new long[] {rows, columns}, new long[] {fixed ? rows : -1, columns})
            : Shape.of(new long[] {columns, rows}, new long[] {columns, fixed ? rows : -1});
    return new Case(
        new ChunkedLayout(form, EdgeChunks.FILTERED, CHUNK, 4, info), shape, filtering, widths);
  }

  private static ExtensibleArrayParameters parameters(Random random) {
    return random.nextInt(3) == 0
        ? ExtensibleArrayParameters.STANDARD
        : new ExtensibleArrayParameters(
            20,
            1 + random.nextInt(5),
            2 << random.nextInt(2),
            1 << random.nextInt(2),
            3 + random.nextInt(3));
  }

  private static ChunkRecord record(Random random, Case of) {
    long address = random.nextInt(1 << 20);
    int n = of.layout.form().sections();
    boolean filtered = of.filtering == Filtering.FILTERED;
    if (n == 1) {
      return new ChunkRecord(
          address,
          filtered
              ? SectionTable.filtered(1 + random.nextInt(200), random.nextInt(8))
              : SectionTable.plain(of.layout.chunkBytes()));
    }
    long[] offsets = random.longs(n - 1, 0, 200).sorted().toArray();
    return new ChunkRecord(
        address,
        new SectionTable(
            200 + random.nextInt(50),
            offsets,
            filtered ? random.longs(n, 0, 1 << 30).toArray() : new long[0],
            filtered ? random.ints(n, 0, 8).toArray() : new int[0]));
  }

  /** Applies changes in the same way as the owners of leaves and the writer of the spine. */
  private static LinearIndex apply(
      LinearIndex index,
      MemoryFile file,
      SpaceAllocator allocator,
      Map<Long, Optional<ChunkRecord>> changes) {
    Map<LeafId, List<Optional<ChunkRecord>>> loaded = new TreeMap<>();
    long top = 0;
    for (Map.Entry<Long, Optional<ChunkRecord>> change : changes.entrySet()) {
      LeafId leaf = index.leafOf(change.getKey());
      loaded
          .computeIfAbsent(leaf, l -> load(index, l, file))
          .set(index.slot(change.getKey()), change.getValue());
      top = Math.max(top, change.getKey() + 1);
    }
    SortedSet<LeafId> touched = new TreeSet<>(loaded.keySet());
    SpaceAllocator other = allocator.copy();
    IndexCommit commit = index.commit(touched, top, allocator);
    assertSame(commit, index.commit(touched, top, other));
    assertEquals(allocator, other);
    assertTrue(commit.leaves().keySet().containsAll(touched));
    commit
        .leaves()
        .forEach((leaf, block) -> {
          List<Optional<ChunkRecord>> slots =
              loaded.computeIfAbsent(leaf, l -> load(index, l, file));
          MemorySegment bytes = commit.index().encodeLeaf(leaf, slots);
          assertEquals(block.length(), bytes.byteSize());
          assertEquals(Optional.of(block), commit.index().stored(leaf));
          file.write(block.address(), bytes);
        });
    commit.spine().forEach(file::write);
    return commit.index();
  }

  private static void assertSame(IndexCommit one, IndexCommit two) {
    assertEquals(one.leaves(), two.leaves());
    assertEquals(one.spine().size(), two.spine().size());
    for (int i = 0; i < one.spine().size(); i++) {
      BlockImage a = one.spine().get(i);
      BlockImage b = two.spine().get(i);
      assertEquals(a.address(), b.address());
      assertEquals(a.kind(), b.kind());
      assertEquals(-1, a.bytes().mismatch(b.bytes()));
    }
  }

  private static List<Optional<ChunkRecord>> load(LinearIndex index, LeafId leaf, MemoryFile file) {
    return index
        .stored(leaf)
        .map(block ->
            new ArrayList<>(index.decodeLeaf(leaf, file.read(block.address(), block.length()))))
        .orElseGet(() -> new ArrayList<>(Collections.nCopies(index.slots(leaf), Optional.empty())));
  }

  private static Map<Long, ChunkRecord> contents(ChunkIndex any, MemoryFile file) {
    LinearIndex index = (LinearIndex) any;
    Map<Long, ChunkRecord> found = new TreeMap<>();
    index.forEachRecord(
        file,
        (scaled, record) -> {
          assertFalse(found.containsKey(index.position(scaled)));
          found.put(index.position(scaled), record);
        });
    return found;
  }

  private static long[] chunks(Shape shape) {
    return new long[] {
      (shape.extent(0) + CHUNK.extent(0) - 1) / CHUNK.extent(0),
      (shape.extent(1) + CHUNK.extent(1) - 1) / CHUNK.extent(1)
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void random_changes_are_read_back_as_from_a_map(int seed) {
    Random random = new Random(seed);
    for (int run = 0; run < 150; run++) {
      Case of = random(random);
      LinearIndex index =
          (LinearIndex) ChunkIndexes.create(of.layout, of.shape, of.filtering, of.widths);
      MemoryFile file = MemoryFile.empty();
      SpaceAllocator allocator = SpaceAllocator.startingAt(96);
      Map<Long, ChunkRecord> model = new TreeMap<>();
      long[] chunks = chunks(of.shape);
      for (int round = 0; round < 5; round++) {
        Map<Long, Optional<ChunkRecord>> changes = new TreeMap<>();
        for (int i = random.nextInt(60); i > 0; i--) {
          long[] scaled = {random.nextLong(chunks[0]), random.nextLong(chunks[1])};
          long position = index.position(scaled);
          assertEquals(scaled[0], index.scaled(position)[0]);
          assertEquals(scaled[1], index.scaled(position)[1]);
          Optional<ChunkRecord> record =
              random.nextInt(5) == 0 ? Optional.empty() : Optional.of(record(random, of));
          changes.put(position, record);
          record.ifPresentOrElse(r -> model.put(position, r), () -> model.remove(position));
        }
        index = apply(index, file, allocator, changes);
        file.grow(allocator.endOfFile());
        assertEquals(model, contents(index, file));
        LinearIndex reopened =
            (LinearIndex)
                ChunkIndexes.open(index.layout(), of.shape, of.filtering, of.widths, file);
        assertEquals(model, contents(reopened, file));
        assertEquals(index.blocks(file), reopened.blocks(file));
        assertEquals(index.storedLeaves(), reopened.storedLeaves());
        index = random.nextBoolean() ? reopened : index;
        assertDisjoint(index.blocks(file), allocator.endOfFile());
      }
    }
  }

  private static void assertDisjoint(List<Block> blocks, long end) {
    long last = 96;
    for (Block block : blocks) {
      assertTrue(block.address() >= last, blocks::toString);
      last = block.end();
    }
    assertTrue(last <= end);
  }

  @Test
  void a_commit_without_touched_leaves_changes_nothing() {
    Random random = new Random(7);
    for (int run = 0; run < 20; run++) {
      Case of = random(random);
      LinearIndex index =
          (LinearIndex) ChunkIndexes.create(of.layout, of.shape, of.filtering, of.widths);
      SpaceAllocator allocator = SpaceAllocator.startingAt(0);
      IndexCommit commit = index.commit(new TreeSet<>(), 0, allocator);
      assertEquals(0, allocator.endOfFile());
      assertEquals(of.layout, commit.index().layout());
      assertTrue(commit.leaves().isEmpty() && commit.spine().isEmpty());
    }
  }

  @Test
  void an_unchanged_spine_is_not_rewritten() {
    ChunkedLayout layout =
        ChunkedLayout.dense(Shape.of(20000).unlimited(0), Shape.of(1), 1, Filtering.UNFILTERED);
    Shape shape = Shape.of(20000).unlimited(0);
    LinearIndex index =
        (LinearIndex) ChunkIndexes.create(layout, shape, Filtering.UNFILTERED, Widths.EIGHT);
    SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    SortedSet<LeafId> touched = new TreeSet<>(List.of(index.leafOf(19000)));
    IndexCommit first = index.commit(touched, 19001, allocator);
    assertEquals(2, first.leaves().size(), "the index block holds the new address");
    IndexCommit second = first.index().commit(touched, 19001, allocator);
    assertEquals(touched, second.leaves().keySet());
    assertEquals(0, second.spine().size());
    IndexCommit third = second.index().commit(touched, 19002, allocator);
    assertEquals(1, third.spine().size(), "the header holds the greatest index");
  }

  @Test
  void a_single_chunk_is_stored_in_the_layout() {
    Shape shape = Shape.of(2, 3);
    ChunkedLayout layout = ChunkedLayout.sparse(shape, CHUNK, 4, Filtering.FILTERED);
    SingleChunkIndex index =
        (SingleChunkIndex) ChunkIndexes.create(layout, shape, Filtering.FILTERED, Widths.EIGHT);
    assertEquals(Optional.empty(), index.chunk());
    ChunkRecord record =
        new ChunkRecord(
            77, new SectionTable(30, new long[] {10}, new long[] {90, 24}, new int[] {0, 1}));
    SingleChunkIndex changed = index.withRecord(Optional.of(record));
    assertEquals(Optional.of(record), changed.chunk());
    ChunkIndex reopened =
        ChunkIndexes.open(
            changed.layout(), shape, Filtering.FILTERED, Widths.EIGHT, MemoryFile.empty());
    assertEquals(Map.of(0L, record), contents(reopened, MemoryFile.empty()));
    assertEquals(
        layout.index().address(), changed.withRecord(Optional.empty()).layout().index().address());
    assertThrows(
        IllegalArgumentException.class,
        () -> index.withRecord(Optional.of(new ChunkRecord(1, SectionTable.plain(3)))));
  }

  @Test
  void the_index_kind_depends_on_the_shape() {
    Shape chunk = Shape.of(2, 3);
    assertEquals(ChunkIndexKind.SINGLE, ChunkIndexKind.of(Shape.of(2, 3), chunk.extent()));
    assertEquals(ChunkIndexKind.FIXED_ARRAY, ChunkIndexKind.of(Shape.of(2, 4), chunk.extent()));
    assertEquals(
        ChunkIndexKind.EXTENSIBLE_ARRAY,
        ChunkIndexKind.of(Shape.of(2, 3).unlimited(1), chunk.extent()));
    assertEquals(
        ChunkIndexKind.BTREE_2,
        ChunkIndexKind.of(Shape.of(2, 3).unlimited(1).unlimited(0), chunk.extent()));
  }

  @Test
  void a_flipped_bit_in_any_block_is_detected() {
    Random random = new Random(11);
    for (int run = 0; run < 40; run++) {
      Case of = random(random);
      LinearIndex index =
          (LinearIndex) ChunkIndexes.create(of.layout, of.shape, of.filtering, of.widths);
      MemoryFile file = MemoryFile.empty();
      SpaceAllocator allocator = SpaceAllocator.startingAt(0);
      Map<Long, Optional<ChunkRecord>> changes = new TreeMap<>();
      long[] chunks = chunks(of.shape);
      for (int i = 0; i < 30; i++) {
        changes.put(
            index.position(new long[] {random.nextLong(chunks[0]), random.nextLong(chunks[1])}),
            Optional.of(record(random, of)));
      }
      LinearIndex written = apply(index, file, allocator, changes);
      file.grow(allocator.endOfFile());
      for (LeafId leaf : written.storedLeaves()) {
        Block block = written.stored(leaf).orElseThrow();
        MemorySegment bytes =
            MemorySegment.ofArray(
                file.read(block.address(), block.length()).toArray(ValueLayout.JAVA_BYTE));
        long at = random.nextLong(bytes.byteSize());
        byte old = bytes.get(ValueLayout.JAVA_BYTE, at);
        bytes.set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ 1 << random.nextInt(8)));
        assertThrows(FormatException.class, () -> written.decodeLeaf(leaf, bytes));
      }
    }
  }
}
