package io.skerry.chunk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.chunk.format.VariableChunkFormat;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Tests that damage of chunks of variable-length values is detected, and that messages name the
 * damaged section.
 */
class VariableChunkDamageTest {
  private static final VariableLength TEXT = VariableLength.string(CharacterSet.UTF8);
  private static final VariableLength WORDS = VariableLength.sequence(TEXT);
  private static final VariableChunkFormat FORMAT =
      VariableChunkFormat.of(new long[] {10}, TEXT, Long.BYTES);
  private static final RunSet DEFINED = RunSet.ofIndices(1, 2, 7);
  private static final int HEAD = 28;
  private static final int OBJECTS = HEAD + 16;

  /** Returns the three sections of a valid chunk, without checksums. */
  private static List<byte[]> sections(VariableChunkFormat format, MemorySegment packed) {
    ChunkImage image =
        format.encode(format.write(format.newChunk(), DEFINED, packed)).orElseThrow();
    List<byte[]> sections = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      long start = image.sections().start(i);
      long end = start + image.sections().length(i) - 4;
      sections.add(image.bytes().asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE));
    }
    return sections;
  }

  private static List<byte[]> texts() {
    return sections(
        FORMAT, VariableChunkGoldenTest.texts(TEXT, List.of("one", "two and more", "three")));
  }

  /** Returns an image of sections with correct checksums, whatever they contain. */
  private static ChunkImage image(List<byte[]> sections) {
    ByteWriter all = ByteWriter.create();
    long[] offsets = new long[2];
    for (int i = 0; i < 3; i++) {
      if (i > 0) {
        offsets[i - 1] = all.position();
      }
      all.bytes(ByteWriter.create().bytes(sections.get(i)).checksumFrom(0).toArray());
    }
    return new ChunkImage(
        all.written(), new SectionTable(all.position(), offsets, new long[0], new int[0]));
  }

  private static void assertRefused(ChunkImage image, String... words) {
    FormatException refused = assertThrows(FormatException.class, () -> FORMAT.decode(image));
    for (String word : words) {
      assertTrue(refused.getMessage().contains(word), word + " in: " + refused.getMessage());
    }
  }

  private static void assertRefused(Consumer<List<byte[]>> damage, String... words) {
    List<byte[]> sections = texts();
    damage.accept(sections);
    assertRefused(image(sections), words);
  }

  private static void put(byte[] bytes, int at, long value, int width) {
    for (int i = 0; i < width; i++) {
      bytes[at + i] = (byte) (value >>> 8 * i);
    }
  }

  @Test
  void reassembled_sections_are_valid() {
    assertEquals(3, FORMAT.decode(image(texts())).definedCount());
  }

  @Test
  void a_changed_bit_in_any_section_is_found_by_its_checksum() {
    ChunkImage sound = image(texts());
    for (int section = 0; section < 3; section++) {
      MemorySegment bytes = HeapBytes.copyOf(sound.bytes());
      long at = sound.sections().start(section) + sound.sections().length(section) - 1;
      bytes.set(ValueLayout.JAVA_BYTE, at, (byte) (bytes.get(ValueLayout.JAVA_BYTE, at) ^ 16));
      assertRefused(new ChunkImage(bytes, sound.sections()), "checksum of section " + section);
    }
  }

  @Test
  void sections_out_of_order_or_too_few_are_refused() {
    ChunkImage sound = image(texts());
    long size = sound.sections().size();
    for (long[] offsets : new long[][] {{50, 40}, {40, size + 1}, {-1, 40}, {40}, {}}) {
      SectionTable table = new SectionTable(size, offsets, new long[0], new int[0]);
      assertRefused(new ChunkImage(sound.bytes(), table), "section");
    }
    SectionTable sized = new SectionTable(size, new long[] {40, 50}, new long[3], new int[3]);
    assertRefused(new ChunkImage(sound.bytes(), sized), "unfiltered sizes and masks");
  }

  @Test
  void a_wrong_number_of_values_is_refused() {
    assertRefused(s -> s.set(1, Arrays.copyOf(s.get(1), 32)), "section");
    assertRefused(s -> s.set(1, Arrays.copyOf(s.get(1), 64)), "section 1");
    assertRefused(s -> s.set(1, new byte[0]), "section");
  }

  @Test
  void descriptors_with_invalid_targets_are_refused() {
    assertRefused(s -> put(s.get(1), 4, 1, 2), "section 1", "section 2", "slot of a value");
    assertRefused(s -> put(s.get(1), 6, 4, 2), "section 1", "slot 0", "object of a value");
    assertRefused(s -> put(s.get(1), 6, 0, 2), "section 1", "length of a value without content");
    assertRefused(
        s -> put(s.get(1), 0, 4, 4), "section 1", "bytes of a value", "expected=at most 3");
    assertRefused(s -> put(s.get(1), 0, 0xffffffffL, 4), "section 1", "bytes of a value");
    assertRefused(s -> s.set(2, new byte[0]), "section 2");
  }

  @Test
  void bytes_that_are_not_a_heap_are_refused() {
    assertRefused(s -> put(s.get(2), 0, 'X', 1), "section 2", "signature");
    assertRefused(s -> put(s.get(2), 4, 2, 1), "section 2", "version");
    assertRefused(s -> put(s.get(2), 8, 0, 4), "section 2", "slots");
    assertRefused(s -> put(s.get(2), 8, 70_000, 4), "section 2", "slots");
    assertRefused(s -> put(s.get(2), 12, 4, 8), "slot 0", "collection outside");
    assertRefused(s -> put(s.get(2), 20, 1 << 20, 8), "slot 0", "collection outside");
    assertRefused(s -> put(s.get(2), 12, -8, 8), "slot 0", "collection outside");
    assertRefused(s -> put(s.get(2), HEAD + 8, 64, 8), "slot 0", "size");
    assertRefused(s -> put(s.get(2), OBJECTS + 8, 1 << 20, 8), "slot 0", "bytes needed");
    assertRefused(s -> put(s.get(2), OBJECTS, 2, 2), "slot 0", "objects of index 2");
    assertRefused(
        s -> {
          put(s.get(2), OBJECTS, 0, 2);
          put(s.get(2), OBJECTS + 8, 3, 8);
        },
        "slot 0",
        "bytes of free space");
  }

  @Test
  void free_slots_and_free_space_are_skipped() {
    List<byte[]> sections = texts();
    byte[] heap = sections.get(2);
    byte[] more = new byte[heap.length + 16];
    System.arraycopy(heap, 0, more, 0, 12);
    put(more, 8, 2, 4);
    System.arraycopy(heap, 12, more, 28, heap.length - 12);
    put(more, 28, HEAD + 16, 8);
    sections.set(2, more);
    for (int element = 0; element < 3; element++) {
      put(sections.get(1), 16 * element + 4, 1, 2);
    }
    assertEquals(3, FORMAT.decode(image(sections)).definedCount());
  }

  @Test
  void a_large_object_shared_by_all_values_is_refused_before_it_is_copied() {
    int elements = 200_000;
    VariableChunkFormat format = VariableChunkFormat.of(new long[] {elements}, TEXT, Long.BYTES);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      texts.add(i == 0 ? "x".repeat(100_000) : "");
    }
    RunSet all = RunSet.range(0, elements);
    ChunkImage sound =
        format
            .encode(
                format.write(format.newChunk(), all, VariableChunkGoldenTest.texts(TEXT, texts)))
            .orElseThrow();
    List<byte[]> sections = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      long start = sound.sections().start(i);
      long length = sound.sections().length(i) - 4;
      sections.add(sound.bytes().asSlice(start, length).toArray(ValueLayout.JAVA_BYTE));
    }
    byte[] values = sections.get(1);
    for (int i = 1; i < elements; i++) {
      System.arraycopy(values, 0, values, 16 * i, 16);
    }
    FormatException refused =
        assertThrows(FormatException.class, () -> format.decode(image(sections)));
    assertTrue(refused.getMessage().contains("share"), refused.getMessage());
  }

  @Test
  void masks_and_sizes_of_filtered_sections_are_checked() {
    VariableChunkFormat filtered =
        FORMAT.withPipelines(
            SectionPipelines.none().with(1, FilterPipeline.of(Filters.deflate(6))));
    MemorySegment packed = VariableChunkGoldenTest.texts(TEXT, List.of("one", "two", "three"));
    ChunkImage sound =
        filtered.encode(filtered.write(filtered.newChunk(), DEFINED, packed)).orElseThrow();
    SectionTable table = sound.sections();
    int[][] masks = {{1, 0, 0}, {0, 2, 0}, {0, 0, 1}};
    for (int section = 0; section < 3; section++) {
      SectionTable other =
          new SectionTable(table.size(), table.offsets(), table.unfilteredSizes(), masks[section]);
      FormatException refused =
          assertThrows(
              FormatException.class, () -> filtered.decode(new ChunkImage(sound.bytes(), other)));
      assertTrue(refused.getMessage().contains("section " + section), refused.getMessage());
      long[] sizes = table.unfilteredSizes().clone();
      sizes[section]++;
      SectionTable longer =
          new SectionTable(table.size(), table.offsets(), sizes, table.filterMasks());
      FormatException wrong =
          assertThrows(
              FormatException.class, () -> filtered.decode(new ChunkImage(sound.bytes(), longer)));
      assertTrue(wrong.getMessage().contains("section " + section), wrong.getMessage());
    }
  }

  @Test
  void random_damage_with_valid_checksums_is_decoded_or_refused() {
    Random random = new Random(5);
    VariableChunkFormat format = VariableChunkFormat.of(new long[] {10}, WORDS, Long.BYTES);
    List<byte[]> sound = sections(format, words());
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      List<byte[]> sections = new ArrayList<>();
      sound.forEach(section -> sections.add(section.clone()));
      for (int hits = 1 + random.nextInt(4); hits > 0; hits--) {
        byte[] hit = sections.get(random.nextInt(3));
        hit[random.nextInt(hit.length)] = (byte) (random.nextInt(4) - 1);
      }
      if (random.nextInt(5) == 0) {
        int cut = random.nextInt(3);
        sections.set(cut, Arrays.copyOf(sections.get(cut), random.nextInt(200)));
      }
      try {
        MemoryChunk chunk = format.decode(image(sections));
        assertTrue(chunk.definedCount() <= 10);
      } catch (FormatException | UnsupportedFeatureException e) {
        refused++;
      }
    }
    assertTrue(refused > 1000, "refused=" + refused);
  }

  /** Returns three lists of words. */
  private static MemorySegment words() {
    MemorySegment elements = MemorySegment.ofArray(new byte[48]);
    PackedContent.Builder content = new PackedContent.Builder();
    for (int i = 0; i < 3; i++) {
      MemorySegment inner = MemorySegment.ofArray(new byte[16 * (i + 1)]);
      for (int k = 0; k <= i; k++) {
        byte[] word = ("word" + k).getBytes(StandardCharsets.UTF_8);
        content.put(inner.asSlice(16L * k, 16), word.length, MemorySegment.ofArray(word));
      }
      content.put(elements.asSlice(16L * i, 16), i + 1, inner);
    }
    return content.join(elements);
  }

  @Test
  void many_slots_with_the_same_collection_are_refused() {
    List<byte[]> sections = texts();
    byte[] heap = sections.get(2);
    int slots = 60_000;
    byte[] many = new byte[12 + 16 * slots + heap.length - HEAD];
    System.arraycopy(heap, 0, many, 0, 12);
    put(many, 8, slots, 4);
    for (int slot = 0; slot < slots; slot++) {
      put(many, 12 + 16 * slot, 12 + 16L * slots, 8);
      put(many, 20 + 16 * slot, heap.length - HEAD, 8);
    }
    System.arraycopy(heap, HEAD, many, 12 + 16 * slots, heap.length - HEAD);
    sections.set(2, many);
    assertRefused(image(sections), "section 2", "bytes of all collections");
  }

  @Test
  void an_empty_heap_has_no_size_before_filtering_either() {
    VariableChunkFormat filtered =
        FORMAT.withPipelines(SectionPipelines.all(FilterPipeline.of(Filters.deflate(6))));
    MemorySegment nothing = MemorySegment.ofArray(new byte[48]);
    ChunkImage sound =
        filtered.encode(filtered.write(filtered.newChunk(), DEFINED, nothing)).orElseThrow();
    SectionTable table = sound.sections();
    assertEquals(0, table.length(2));
    long[] sizes = table.unfilteredSizes().clone();
    sizes[2] = 7;
    SectionTable claims =
        new SectionTable(table.size(), table.offsets(), sizes, table.filterMasks());
    FormatException refused =
        assertThrows(
            FormatException.class, () -> filtered.decode(new ChunkImage(sound.bytes(), claims)));
    assertTrue(refused.getMessage().contains("section 2"), refused.getMessage());
  }

  @Test
  void content_longer_than_a_two_byte_length_is_refused_when_it_is_written() {
    VariableChunkFormat narrow = VariableChunkFormat.of(new long[] {10}, TEXT, Short.BYTES);
    RunSet one = RunSet.range(0, 1);
    MemorySegment fits = VariableChunkGoldenTest.texts(TEXT, List.of("x".repeat(60_000)));
    MemoryChunk chunk = narrow.write(narrow.newChunk(), one, fits);
    assertEquals(1, narrow.decode(narrow.encode(chunk).orElseThrow()).definedCount());
    MemorySegment more = VariableChunkGoldenTest.texts(TEXT, List.of("y".repeat(6_000)));
    UnsupportedFeatureException refused =
        assertThrows(
            UnsupportedFeatureException.class, () -> narrow.write(chunk, RunSet.range(1, 2), more));
    assertTrue(refused.getMessage().contains("heapRoom"), refused.getMessage());
  }
}
