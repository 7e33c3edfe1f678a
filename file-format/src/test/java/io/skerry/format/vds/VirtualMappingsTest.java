package io.skerry.format.vds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Widths;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VirtualMappingsTest {
  private static VirtualMappings decode(MemorySegment block) {
    return VirtualMappings.decode(block, Widths.EIGHT);
  }

  private static VirtualMapping mapping(
      String file, String dataset, Selection source, Selection virtual) {
    return new VirtualMapping(new NamePattern(file), new NamePattern(dataset), source, virtual);
  }

  private static Selection row(long row) {
    return Selection.box(new long[] {row, 0}, new long[] {1, 16});
  }

  private static MappingBlock interleaved() {
    MappingBlock block = new MappingBlock(0, 5, SelectionEncoding.LIBRARY_EARLIEST);
    for (int i = 0; i < 5; i++) {
      block.name(i % 2 == 0 ? "even.h5" : "odd.h5").name("data").row(i, 4 - i);
    }
    return block;
  }

  @Test
  void mappings_of_version_0_are_decoded_in_order() {
    List<VirtualMapping> entries = decode(interleaved().block()).entries();
    assertEquals(5, entries.size());
    for (int i = 0; i < 5; i++) {
      String file = i % 2 == 0 ? "even.h5" : "odd.h5";
      assertEquals(mapping(file, "data", row(i), row(4 - i)), entries.get(i));
    }
  }

  @Test
  void equal_names_are_one_object_even_if_other_names_are_between_them() {
    List<VirtualMapping> entries = decode(interleaved().block()).entries();
    assertSame(entries.get(0).file(), entries.get(4).file());
    assertSame(entries.get(1).file(), entries.get(3).file());
    assertSame(entries.get(0).dataset(), entries.get(3).dataset());
    assertSame(entries.get(0).file(), entries.get(2).file());
  }

  @Test
  void each_of_thousands_of_alternating_names_is_one_object() {
    MappingBlock block = new MappingBlock(0, 6000, SelectionEncoding.LIBRARY_EARLIEST);
    for (int i = 0; i < 6000; i++) {
      block.name("run_" + i % 2000 + ".h5").name(i % 3 == 0 ? "" : "entry/data").row(0, i);
    }
    List<VirtualMapping> entries = decode(block.block()).entries();
    for (int i = 0; i < 6000; i++) {
      assertEquals("run_" + i % 2000 + ".h5", entries.get(i).file().text());
      assertEquals(i % 3 == 0 ? "" : "entry/data", entries.get(i).dataset().text());
      assertSame(entries.get(i % 2000).file(), entries.get(i).file());
    }
  }

  @Test
  void shared_names_of_version_1_are_those_of_the_entry_they_refer_to() {
    MappingBlock block =
        new MappingBlock(1, 4, SelectionEncoding.LIBRARY_V112)
            .flags(0)
            .name("first.h5")
            .name("entry/data")
            .row(0, 0)
            .flags(4)
            .name("beside")
            .row(1, 1)
            .flags(1 | 2)
            .index(0)
            .index(1)
            .row(2, 2)
            .flags(2 | 4)
            .index(0)
            .row(3, 3);
    VirtualMappings mappings = decode(block.block());
    assertEquals(
        new VirtualMappings(
            List.of(
                mapping("first.h5", "entry/data", row(0), row(0)),
                mapping(".", "beside", row(1), row(1)),
                mapping("first.h5", "beside", row(2), row(2)),
                mapping(".", "entry/data", row(3), row(3)))),
        mappings);
    assertSame(mappings.entries().get(0).file(), mappings.entries().get(2).file());
    assertSame(mappings.entries().get(1).dataset(), mappings.entries().get(2).dataset());
  }

  @Test
  void the_bounds_of_stored_and_of_given_mappings_are_equal() {
    Selection blocks =
        Selection.blocks(
            List.of(
                new Box(new long[] {1, 2}, new long[] {3, 4}),
                new Box(new long[] {7, 8}, new long[] {9, 11})));
    Selection endless = Selection.at(0, 3).stride(2, 1).count(Shape.UNLIMITED, 1).block(1, 5);
    List<Selection> all = List.of(row(3), blocks, endless, Selection.all(), Selection.none());
    MappingBlock block = new MappingBlock(0, all.size(), SelectionEncoding.LIBRARY_V112);
    for (Selection virtual : all) {
      block.name("a").name("b").selections(virtual, virtual);
    }
    VirtualMappings stored = decode(block.block());
    VirtualMappings given =
        new VirtualMappings(all.stream().map(s -> mapping("a", "b", s, s)).toList());
    for (VirtualMappings mappings : List.of(stored, given)) {
      assertArrayEquals(new int[] {2}, mappings.unlimited());
      assertEquals(OptionalInt.empty(), mappings.ofOtherRank(2));
      assertEquals(OptionalInt.of(0), mappings.ofOtherRank(1));
      VirtualBounds bounds = mappings.bounds();
      assertEquals(9, bounds.at(1).end(0));
      assertEquals(2, bounds.at(1).start(1));
      assertEquals("BOUNDED", bounds.at(0).kind().name());
      assertEquals("UNLIMITED", bounds.at(2).kind().name());
      assertEquals("ALL", bounds.at(3).kind().name());
      assertEquals("EMPTY", bounds.at(4).kind().name());
    }
  }

  @Test
  void entries_of_any_names_and_lengths_are_decoded_in_order() {
    Random random = new Random(8);
    for (int version = 0; version < 2; version++) {
      List<VirtualMapping> expected = new ArrayList<>();
      MappingBlock block = new MappingBlock(version, 2000, SelectionEncoding.LIBRARY_V112);
      VirtualMapping last = mapping("", "", row(0), row(0));
      for (int i = 0; i < 2000; i++) {
        if (random.nextInt(5) == 0) {
          String file = "name-of-a-file.h5".substring(random.nextInt(18));
          last = mapping(file, "entry/rows".substring(random.nextInt(11)), row(0), row(0));
        }
        Selection virtual = lengthened(random.nextInt(1 + i / 100), random.nextInt(100_000));
        last = new VirtualMapping(last.file(), last.dataset(), row(i), virtual);
        expected.add(last);
        if (version == 1) {
          block.flags(0);
        }
        block.name(last.file().text()).name(last.dataset().text()).selections(row(i), virtual);
      }
      assertEquals(expected, decode(block.block()).entries());
    }
  }

  /** Returns a selection whose encoding has a length in proportion to the number of blocks. */
  private static Selection lengthened(int blocks, long start) {
    if (blocks == 0) {
      return row(start);
    }
    List<Box> boxes = new ArrayList<>();
    for (long i = 0; i <= blocks; i++) {
      long first = start + i * i + i;
      boxes.add(new Box(new long[] {first, i}, new long[] {first + 1, i + 1}));
    }
    return Selection.blocks(boxes);
  }

  private static void assertRefused(String expected, MemorySegment block) {
    FormatException e = assertThrows(FormatException.class, () -> decode(block));
    assertTrue(e.getMessage().contains(expected), e.getMessage());
  }

  private static MappingBlock one() {
    return new MappingBlock(1, 1, SelectionEncoding.LIBRARY_V112);
  }

  @Test
  void damaged_blocks_are_refused_with_the_field() {
    assertRefused("version", new MappingBlock(2, 0, SelectionEncoding.LIBRARY_V112).block());
    assertRefused("flags of an entry", one().flags(8).name("f").name("d").row(0, 0).block());
    assertRefused("flags of an entry", one().flags(5).name("f").name("d").row(0, 0).block());
    assertRefused("entry of a shared name", one().flags(1).index(0).name("d").row(0, 0).block());
    assertRefused("entry of a shared name", one().flags(2).name("f").index(9).row(0, 0).block());
    assertRefused("entry of a shared name", one().flags(1).index(-1).name("d").row(0, 0).block());
    assertRefused("number of entries", new MappingBlock(0, 1L << 40, SelectionEncoding.V1).block());
    assertRefused("number of entries", new MappingBlock(0, -1, SelectionEncoding.V1).block());
    MemorySegment changed = interleaved().block();
    changed.set(ValueLayout.JAVA_BYTE, 10, (byte) 'E');
    assertRefused("checksum", changed);
  }

  @Test
  void every_truncated_block_is_refused() {
    int length = (int) interleaved().block().byteSize() - 4;
    for (int missing = 1; missing < length; missing++) {
      MemorySegment block = interleaved().truncated(missing);
      assertThrows(FormatException.class, () -> decode(block), "missing " + missing);
    }
    MappingBlock shared = one().flags(0).name("first.h5").name("entry/data").row(0, 0);
    for (int missing = 1; missing < 60; missing++) {
      MemorySegment block = shared.truncated(missing);
      assertThrows(FormatException.class, () -> decode(block), "missing " + missing);
    }
  }
}
