package io.skerry.format.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.format.Bytes;
import io.skerry.format.Interpreter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.FractalHeapParameters.DirectBlockChecksum;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.superblock.TestFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests heaps that have valid checksums but whose headers contradict their content. */
class CraftedHeapsTest {
  private static final Widths WIDTHS = Widths.EIGHT;
  private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int LISTED = 22;

  @TempDir Path directory;

  @Test
  void a_table_with_one_block_in_a_row_is_walked_only_where_blocks_are_stored() {
    DoublingTable table = new DoublingTable(1, 64, 64, 62);
    FractalHeapParameters parameters =
        new FractalHeapParameters(
            10, 30, DirectBlockChecksum.ABSENT, table, 0, FilterPipeline.none());
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          SpaceAllocator space = SpaceAllocator.startingAt(0);
          FractalHeapEditor editor = FractalHeapEditor.create(parameters, WIDTHS, space);
          for (int i = 0; i < 20; i++) {
            Bytes added = editor.add(MemorySegment.ofArray(new byte[30]));
            assertEquals(10, added.size());
          }
          MemoryFile file = MemoryFile.empty();
          editor.commit().forEach(file::write);
          file.grow(space.endOfFile());
          FractalHeap heap = FractalHeap.open(file, WIDTHS, editor.address());
          assertEquals(20, heap.objects());
          assertEquals(table.span(table.maxRows()), heap.header().managed().span());
        });
  }

  @ParameterizedTest
  @CsvSource({
    "managed objects, 70, 9223372036854775807",
    "free bytes, 30, 9223372036854775807",
    "managed space, 46, -2",
    "iterator offset, 62, -2",
    "huge objects, 86, 5",
    "tiny objects, 102, 3"
  })
  void counters_that_no_heap_has_are_refused(String what, long at, long value) {
    SpaceAllocator space = SpaceAllocator.startingAt(0);
    FractalHeapEditor editor =
        FractalHeapEditor.create(FractalHeapParameters.links(), WIDTHS, space);
    Bytes added = editor.add(MemorySegment.ofArray(new byte[30]));
    MemoryFile file = MemoryFile.empty();
    editor.commit().forEach(file::write);
    file.grow(space.endOfFile());
    long size = FractalHeapHeader.size(WIDTHS, 0);
    MemoryFile crafted = with(file, editor.address() + at, value, editor.address(), size);
    FormatException e =
        assertThrows(
            FormatException.class,
            () -> FractalHeap.open(crafted, WIDTHS, editor.address()).object(added.segment()));
    assertTrue(e.getMessage().contains(what), e.getMessage());
  }

  /** HDF5 2.0.0 has left 1,366 free bytes in the header of a heap whose root block has 1,024. */
  @Test
  void a_heap_may_count_more_free_bytes_than_its_root_block_has() {
    SpaceAllocator space = SpaceAllocator.startingAt(0);
    FractalHeapEditor editor =
        FractalHeapEditor.create(FractalHeapParameters.links(), WIDTHS, space);
    Bytes added = editor.add(MemorySegment.ofArray(new byte[30]));
    MemoryFile file = MemoryFile.empty();
    editor.commit().forEach(file::write);
    file.grow(space.endOfFile());
    long size = FractalHeapHeader.size(WIDTHS, 0);
    MemoryFile crafted = with(file, editor.address() + 30, 1366, editor.address(), size);
    FractalHeap heap = FractalHeap.open(crafted, WIDTHS, editor.address());
    assertTrue(heap.header().managed().span() < 1366);
    assertEquals(30, heap.object(added.segment()).byteSize());
    FractalHeapEditor changed = FractalHeapEditor.open(heap, List.of(added), space);
    Bytes second = changed.add(MemorySegment.ofArray(new byte[20]));
    changed.commit().forEach(crafted::write);
    FractalHeap reopened = FractalHeap.open(crafted, WIDTHS, changed.address());
    assertEquals(20, reopened.object(second.segment()).byteSize());
    FractalHeapHeader.Managed managed = reopened.header().managed();
    assertTrue(managed.free() < managed.span(), managed.toString());
  }

  @Test
  void an_object_that_the_counters_do_not_include_is_not_removed() {
    SpaceAllocator space = SpaceAllocator.startingAt(0);
    FractalHeapEditor editor =
        FractalHeapEditor.create(FractalHeapParameters.links(), WIDTHS, space);
    Bytes added = editor.add(MemorySegment.ofArray(new byte[5000]));
    MemoryFile file = MemoryFile.empty();
    editor.commit().forEach(file::write);
    file.grow(space.endOfFile());
    long size = FractalHeapHeader.size(WIDTHS, 0);
    MemoryFile crafted = with(file, editor.address() + 86, 0, editor.address(), size);
    FractalHeap heap = FractalHeap.open(crafted, WIDTHS, editor.address());
    FractalHeapEditor changed = FractalHeapEditor.open(heap, List.of(added), space);
    FormatException e = assertThrows(FormatException.class, () -> changed.remove(added));
    assertTrue(e.getMessage().contains("huge objects of a fractal heap"), e.getMessage());
  }

  @Test
  void sections_of_free_space_that_contradict_the_header_are_refused() throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    Path path = directory.resolve("seed.h5");
    String script =
        """
        import sys, h5py
        f = h5py.File(sys.argv[1], 'w', libver='latest')
        for i in range(200): f['L%d' % i] = h5py.SoftLink('x' * (i * 3 + 1))
        for i in range(0, 200, 7): del f['L%d' % i]
        f.close()
        """;
    Interpreter.all().get(0).run(directory, script, path);
    TestFile file = TestFile.open(path);
    long address = file.root().require(LinkInfoMessage.class).heapAddress();
    MemoryFile sound = (MemoryFile) file.source();
    FractalHeap heap = FractalHeap.open(sound, WIDTHS, address);
    assertTrue(heap.blocks().size() > 3);
    long manager = heap.header().managed().freeSpace();
    assertTrue(FileAddress.isDefined(manager));
    MemorySegment bytes = MemorySegment.ofArray(sound.toArray());
    long listed = bytes.get(U64, manager + LISTED);
    long list = bytes.get(U64, manager + 54);
    long used = bytes.get(U64, manager + 62);
    assertTrue(listed > 3, "sections " + listed);
    refused(with(sound, manager + 6, 77, manager, 82), address, "bytes of all free sections");
    refused(with(sound, manager + LISTED, listed + 1, manager, 82), address, "free-space");
    refused(with(sound, manager + 54, sound.size(), manager, 82), address, "section list");
    refused(with(sound, manager + 54, address, manager, 82), address, "section list");
    // The first section gets the offset of the second. The number of sections of a size takes one
    // byte, the size three, the offset four, and the type one.
    long second = bytes.get(U32, list + 13 + 9 + 4);
    long first = bytes.get(U64, list + 17) >>> 32 << 32 | second;
    refused(with(sound, list + 17, first, list, used), address, "apart from");
  }

  /** The list is from h5diff_types.h5 of the HDF5 tests: 359 free bytes at offset 153. */
  @Test
  void section_lists_of_early_libraries_have_a_narrower_size() {
    String stored = "46535345 00 180e000000000000 01 6701 99000000 00 95f5a2b8";
    byte[] list = HexFormat.of().parseHex(stored.replace(" ", ""));
    MemoryFile file = MemoryFile.of(list);
    var table = new DoublingTable(4, 512, 65536, 32);
    var block = Optional.of(new Block(0, list.length));
    var totals = new FreeSpaceSections.Totals(359, 1, 0, 32, 65536);
    new FreeSpaceSections(block, list.length, totals).verify(file, WIDTHS, 0xe18, table);
    var larger = new FreeSpaceSections.Totals(360, 1, 0, 32, 65536);
    var contradicting = new FreeSpaceSections(block, list.length, larger);
    assertThrows(FormatException.class, () -> contradicting.verify(file, WIDTHS, 0xe18, table));
  }

  private static void refused(MemoryFile crafted, long address, String text) {
    FormatException e =
        assertThrows(
            FormatException.class, () -> FractalHeap.open(crafted, WIDTHS, address).blocks());
    assertTrue(e.getMessage().contains(text), e.getMessage());
  }

  /** Returns a copy with a changed field and a valid checksum at the end of its block. */
  private static MemoryFile with(MemoryFile file, long at, long value, long block, long length) {
    MemorySegment bytes = MemorySegment.ofArray(file.toArray());
    bytes.set(U64, at, value);
    bytes.set(U32, block + length - 4, Lookup3.checksum(bytes.asSlice(block, length - 4)));
    return MemoryFile.of(bytes.toArray(ValueLayout.JAVA_BYTE));
  }
}
