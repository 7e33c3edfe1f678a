package io.skerry.format.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.format.Bytes;
import io.skerry.format.Interpreter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.btree.BTree2;
import io.skerry.format.heap.FractalHeapParameters.DirectBlockChecksum;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.superblock.TestFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares changed heaps with a map of byte sequences. */
class FractalHeapEditorTest {
  @TempDir Path directory;

  /** Heaps with every type of heap ID. */
  enum Kind {
    LINKS(FractalHeapParameters.links(), Widths.EIGHT),
    ATTRIBUTES(FractalHeapParameters.attributes(), Widths.EIGHT),
    /** Small blocks, so that indirect blocks contain indirect blocks. */
    DEEP(make(9, 60, DirectBlockChecksum.ABSENT, 2, 64, 128, 40, 1, none()), Widths.EIGHT),
    FOUR_BYTES(
        make(9, 60, DirectBlockChecksum.PRESENT, 4, 64, 256, 30, 0, none()), new Widths(4, 4)),
    /** The location of a huge object fits into its ID. */
    HUGE_BY_PLACE(
        make(17, 200, DirectBlockChecksum.PRESENT, 4, 256, 512, 32, 2, none()), Widths.EIGHT),
    /** IDs so long that the length of tiny objects has two bytes. */
    LONG_TINY(make(60, 200, DirectBlockChecksum.PRESENT, 1, 256, 512, 32, 1, none()), Widths.EIGHT),
    FILTERED(
        make(9, 300, DirectBlockChecksum.PRESENT, 4, 256, 1024, 32, 1, deflate()), Widths.EIGHT),
    FILTERED_BY_PLACE(
        make(30, 300, DirectBlockChecksum.ABSENT, 2, 128, 512, 32, 1, deflate()), Widths.EIGHT);

    private final FractalHeapParameters parameters;
    private final Widths widths;

    Kind(FractalHeapParameters parameters, Widths widths) {
      this.parameters = parameters;
      this.widths = widths;
    }

    private static FilterPipeline none() {
      return FilterPipeline.none();
    }

    private static FilterPipeline deflate() {
      return FilterPipeline.of(Filters.deflate(6), Filters.fletcher32());
    }

    private static FractalHeapParameters make(
        int idLength,
        long maxManaged,
        DirectBlockChecksum checksum,
        int width,
        long start,
        long maxDirect,
        int bits,
        int startRows,
        FilterPipeline filters) {
      DoublingTable table = new DoublingTable(width, start, maxDirect, bits);
      return new FractalHeapParameters(idLength, maxManaged, checksum, table, startRows, filters);
    }
  }

  /** A file that contains a heap and nothing else. */
  private static final class HeapFile {
    private final SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    private final MemoryFile file = MemoryFile.empty();
    private final Widths widths;
    private long address = -1;

    HeapFile(Widths widths) {
      this.widths = widths;
    }

    void commit(FractalHeapEditor editor) {
      for (BlockImage image : editor.commit()) {
        file.write(image);
      }
      file.grow(allocator.endOfFile());
      allocator.commitFrees();
      address = editor.address();
    }

    FractalHeap heap() {
      return FractalHeap.open(file, widths, address);
    }

    void check(Map<Bytes, Bytes> model) {
      FractalHeap heap = heap();
      assertEquals(model.size(), heap.objects());
      model.forEach((id, object) -> assertEquals(object, Bytes.of(heap.object(id.segment()))));
      long end = 0;
      TreeSet<Block> all = new TreeSet<>(heap.blocks());
      all.addAll(allocator.holes());
      for (Block block : all) {
        assertEquals(end, block.address());
        end = block.end();
      }
      assertEquals(allocator.endOfFile(), end);
    }
  }

  private static Bytes object(Random random, FractalHeapParameters p) {
    int length =
        switch (random.nextInt(8)) {
          case 0 -> 1 + random.nextInt(p.maxTiny());
          case 1 -> (int) p.maxManaged() + 1 + random.nextInt(3000);
          case 2 -> (int) p.maxManaged();
          default -> 1 + random.nextInt((int) Math.min(p.maxManaged(), 120));
        };
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    for (int i = 0; i < length; i += 2) {
      bytes[i] = 7;
    }
    return Bytes.of(MemorySegment.ofArray(bytes));
  }

  @ParameterizedTest
  @EnumSource
  void random_changes_match_those_of_a_map(Kind kind) {
    Random random = new Random(kind.ordinal());
    HeapFile heapFile = new HeapFile(kind.widths);
    // Equal tiny objects have equal IDs, so IDs are listed separately from the map.
    Map<Bytes, Bytes> model = new LinkedHashMap<>();
    List<Bytes> ids = new ArrayList<>();
    FractalHeapEditor editor =
        FractalHeapEditor.create(kind.parameters, kind.widths, heapFile.allocator);
    int rows = 0;
    for (int round = 0; round < 24; round++) {
      boolean shrinking = round % 6 >= 4;
      for (int i = 0; i < 120; i++) {
        if (random.nextInt(10) < (shrinking ? 1 : 8) || ids.isEmpty()) {
          Bytes object = object(random, kind.parameters);
          Bytes id = editor.add(object.segment());
          if (model.put(id, object) == null) {
            ids.add(id);
          } else {
            editor.remove(id);
          }
          assertEquals(object, Bytes.of(editor.object(id)));
        } else {
          Bytes id = ids.remove(random.nextInt(ids.size()));
          assertEquals(model.remove(id), Bytes.of(editor.object(id)));
          editor.remove(id);
        }
      }
      heapFile.commit(editor);
      heapFile.check(model);
      rows = Math.max(rows, heapFile.heap().header().root().rows());
      editor = FractalHeapEditor.open(heapFile.heap(), model.keySet(), heapFile.allocator);
      assertTrue(editor.commit().isEmpty());
    }
    assertTrue(rows > 1, "rows " + rows);
    for (Bytes id : ids) {
      editor.remove(id);
    }
    heapFile.commit(editor);
    heapFile.check(Map.of());
    assertEquals(1, heapFile.heap().blocks().size());
  }

  @Test
  void a_repeatedly_rewritten_heap_does_not_grow() {
    HeapFile heapFile = new HeapFile(Widths.EIGHT);
    FractalHeapEditor editor =
        FractalHeapEditor.create(FractalHeapParameters.links(), Widths.EIGHT, heapFile.allocator);
    List<Bytes> ids = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      ids.add(editor.add(text(i)));
    }
    heapFile.commit(editor);
    long end = heapFile.allocator.endOfFile();
    for (int round = 0; round < 30; round++) {
      editor = FractalHeapEditor.open(heapFile.heap(), ids, heapFile.allocator);
      for (int i = round; i < ids.size(); i += 3) {
        editor.remove(ids.get(i));
        ids.set(i, editor.add(text(i)));
      }
      heapFile.commit(editor);
      assertEquals(end, heapFile.allocator.endOfFile());
    }
  }

  private static MemorySegment text(int i) {
    return MemorySegment.ofArray(("object of number " + i + ".").repeat(1 + i % 4).getBytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 30, 100, 1000, 9000})
  void statistics_are_those_that_the_library_keeps(int links) throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    Path path = directory.resolve("links.h5");
    String script =
        """
        import sys, h5py
        f = h5py.File(sys.argv[1], 'w', libver='latest')
        for i in range(%d): f['L%%d' %% i] = h5py.SoftLink('x' * (10 + i %% 900 // 2))
        """;
    Interpreter.all().get(0).run(directory, script.formatted(links), path);
    TestFile file = TestFile.open(path);
    LinkInfoMessage info = file.root().require(LinkInfoMessage.class);
    FractalHeap heap = FractalHeap.open(file.source(), Widths.EIGHT, info.heapAddress());
    ManagedObjects managed = new ManagedObjects(heap.parameters(), Widths.EIGHT);
    managed.load(heap);
    for (MemorySegment record : BTree2.open(file.source(), Widths.EIGHT, info.nameIndexAddress())) {
      HeapId id = HeapId.decode(record.asSlice(4), heap.parameters(), Widths.EIGHT);
      if (id instanceof HeapId.Managed(long offset, long length)) {
        managed.occupy(offset, length);
      }
    }
    FractalHeapHeader.Managed stored = heap.header().managed();
    FractalHeapHeader.Managed own = managed.statistics();
    assertEquals(stored.free(), own.free());
    assertEquals(stored.span(), own.span());
    assertEquals(stored.allocated(), own.allocated());
    assertEquals(stored.objects(), own.objects());
    assertEquals(stored.iterator(), own.iterator());
  }

  @Test
  void objects_that_overlap_are_refused() {
    HeapFile heapFile = new HeapFile(Widths.EIGHT);
    FractalHeapEditor editor =
        FractalHeapEditor.create(FractalHeapParameters.links(), Widths.EIGHT, heapFile.allocator);
    Bytes id = editor.add(text(3));
    heapFile.commit(editor);
    FormatException e =
        assertThrows(
            FormatException.class,
            () -> FractalHeapEditor.open(heapFile.heap(), List.of(id, id), heapFile.allocator));
    assertTrue(e.what().contains("place of a heap object"), e.what());
  }

  @Test
  void an_id_of_an_offset_in_the_prefix_of_a_block_or_beyond_it_is_refused() {
    HeapFile heapFile = new HeapFile(Widths.EIGHT);
    FractalHeapParameters p = FractalHeapParameters.links();
    FractalHeapEditor editor = FractalHeapEditor.create(p, Widths.EIGHT, heapFile.allocator);
    editor.add(text(3));
    heapFile.commit(editor);
    FractalHeap heap = heapFile.heap();
    for (HeapId.Managed bad :
        List.of(
            new HeapId.Managed(0, 10),
            new HeapId.Managed(20, 10),
            new HeapId.Managed(500, 13),
            new HeapId.Managed(512, 10),
            new HeapId.Managed(30, 0),
            new HeapId.Managed(30, 5000),
            new HeapId.Managed(0xffffffffL, 1))) {
      Bytes id = bad.encode(p, Widths.EIGHT);
      FormatException e = assertThrows(FormatException.class, () -> heap.object(id.segment()));
      assertEquals("fractal heap", e.object().orElseThrow(), bad.toString());
    }
    Bytes huge = new HeapId.Numbered(1).encode(p, Widths.EIGHT);
    assertThrows(FormatException.class, () -> heap.object(huge.segment()));
    byte[] reserved = {0x30, 0, 0, 0, 0, 0, 0};
    assertThrows(FormatException.class, () -> heap.object(MemorySegment.ofArray(reserved)));
  }

  @Test
  void the_bytes_of_a_small_heap_are_golden() {
    HeapFile heapFile = new HeapFile(Widths.EIGHT);
    FractalHeapEditor editor =
        FractalHeapEditor.create(FractalHeapParameters.links(), Widths.EIGHT, heapFile.allocator);
    Bytes id = editor.add(MemorySegment.ofArray("hello, world".getBytes()));
    assertEquals("00150000000c00", id.toString());
    heapFile.commit(editor);
    ByteReader in = ByteReader.of(heapFile.file.read(0, heapFile.file.size()), "file");
    assertEquals(
        "46524850"
            + "00"
            + "0700"
            + "0000"
            + "02"
            + "00100000"
            + "0000000000000000"
            + "ffffffffffffffff"
            + "df01000000000000"
            + "ffffffffffffffff"
            + "0002000000000000"
            + "0002000000000000"
            + "0000000000000000"
            + "0100000000000000"
            + "00".repeat(32)
            + "0400"
            + "0002000000000000"
            + "0000010000000000"
            + "2000"
            + "0100"
            + "9200000000000000"
            + "0000",
        Bytes.of(in.slice(142)).toString());
    in.skip(4);
    assertEquals(
        "46484442" + "00" + "0000000000000000" + "00000000", Bytes.of(in.slice(17)).toString());
    in.skip(4);
    assertEquals("hello, world", in.text(12));
    assertEquals(512 - 21 - 12, in.remaining());
  }
}
