package io.skerry.collective.multifile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.format.block.AddressMapping;
import io.skerry.mpi.file.FileView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentedFileTest {
  @TempDir Path folder;

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  @Test
  void a_family_has_the_bytes_of_the_file_that_was_split() throws IOException {
    Random random = new Random(11);
    for (int round = 0; round < 20; round++) {
      byte[] whole = new byte[1 + random.nextInt(3000)];
      random.nextBytes(whole);
      int size = 1 + random.nextInt(700);
      List<Segment> parts = new ArrayList<>();
      for (int at = 0; at < whole.length; at += size) {
        byte[] piece = Arrays.copyOfRange(whole, at, Math.min(whole.length, at + size));
        Path file = write("f%d-%d".formatted(round, at), piece);
        parts.add(new Segment(file, at, at, OptionalLong.of(piece.length)));
      }
      try (SegmentedFile file =
          SegmentedFile.open(folder.resolve("f%d"), new SegmentMap(0, parts))) {
        assertEquals(whole.length, file.size());
        for (int i = 0; i < 100; i++) {
          int from = random.nextInt(whole.length);
          byte[] read = new byte[random.nextInt(whole.length - from + 1)];
          file.readAt(from, MemorySegment.ofArray(read));
          assertArrayEquals(Arrays.copyOfRange(whole, from, from + read.length), read);
        }
        byte[] two = new byte[2];
        long last = whole.length - 1L;
        file.readAtAll(
            FileView.of(new long[] {0, last}, new long[] {1, last == 0 ? 0 : 1}),
            MemorySegment.ofArray(two).asSlice(0, last == 0 ? 1 : 2));
        assertEquals(whole[0], two[0]);
        assertEquals(last == 0 ? 0 : whole[(int) last], two[1]);
        assertThrows(
            FormatException.class, () -> file.readAt(last, MemorySegment.ofArray(new byte[2])));
      }
    }
  }

  /** Returns three members at the default addresses of the HDF5 multi driver; one is missing. */
  private SegmentMap multi() throws IOException {
    Path first = write("m-s.h5", new byte[] {10, 11, 12});
    Path third = write("m-o.h5", new byte[] {30, 31});
    return new SegmentMap(
        0,
        List.of(
            new Segment(first, 0, 0, OptionalLong.of(3)),
            new Segment(folder.resolve("m-r.h5"), 0x5555555555555554L, 8, OptionalLong.empty()),
            new Segment(third, 0xd555555555555552L, 16, OptionalLong.of(2))));
  }

  @Test
  void addresses_above_two_to_the_63_are_mapped_to_readable_ones() throws IOException {
    SegmentMap map = multi();
    AddressMapping places = map.places();
    assertEquals(2, places.map(2));
    assertEquals(17, places.map(0xd555555555555553L));
    assertEquals(18, places.end(0xd555555555555554L));
    try (SegmentedFile file = SegmentedFile.open(folder.resolve("m"), map)) {
      FileSource source = new FileSource(file, 0);
      assertEquals(18, source.size());
      MemorySegment read = source.read(source.places().map(0xd555555555555552L), 2);
      assertArrayEquals(new byte[] {30, 31}, read.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @Test
  void a_read_from_a_missing_member_fails_and_names_the_member() throws IOException {
    SegmentMap map = multi();
    for (long inside : new long[] {0, 1, 4096, 1L << 40}) {
      long place = map.places().map(0x5555555555555554L + inside);
      FormatException refused = assertThrows(FormatException.class, () -> map.require(place, 1));
      assertEquals("a member of the file is missing", refused.what());
      assertEquals("no such file", refused.actual());
      assertTrue(refused.file().orElseThrow().endsWith("m-r.h5"));
      assertEquals(inside, refused.address().orElseThrow());
    }
  }

  @Test
  void a_read_across_the_end_of_a_member_fails() throws IOException {
    SegmentMap map = multi();
    map.require(0, 3);
    map.require(16, 2);
    for (long[] beyond : new long[][] {{0, 4}, {2, 9}, {3, 1}, {0, 17}, {16, 3}}) {
      FormatException refused =
          assertThrows(FormatException.class, () -> map.require(beyond[0], beyond[1]));
      assertEquals("bytes beyond the end of a member of the file", refused.what());
    }
    long far = map.places().map(0x5000000000000000L);
    assertThrows(FormatException.class, () -> map.require(far, 1));
  }

  @Test
  void no_memory_is_allocated_for_bytes_that_do_not_exist() throws IOException {
    try (SegmentedFile file = SegmentedFile.open(folder.resolve("m"), multi())) {
      FileSource source = new FileSource(file, 0);
      assertThrows(FormatException.class, () -> source.read(0, 1L << 61));
      assertThrows(FormatException.class, () -> source.read(1L << 62, 1L << 61));
      assertThrows(FormatException.class, () -> source.read(-1, 1));
    }
  }

  @Test
  void a_decoded_map_equals_the_encoded_one() throws IOException {
    assertEquals(multi(), SegmentMap.decode(multi().encode()).orElseThrow());
    assertTrue(SegmentMap.decode(new byte[0]).isEmpty());
  }

  @Test
  void a_segmented_file_is_read_only() throws IOException {
    try (SegmentedFile file = SegmentedFile.open(folder.resolve("m"), multi())) {
      assertThrows(
          IllegalStateException.class, () -> file.writeAt(0, MemorySegment.ofArray(new byte[1])));
      assertThrows(IllegalStateException.class, () -> file.setSize(0));
    }
  }

  @Test
  void the_size_of_a_closed_file_is_refused() throws IOException {
    SegmentedFile file = SegmentedFile.open(folder.resolve("m"), multi());
    assertEquals(18, file.size());
    file.close();
    assertThrows(IllegalStateException.class, file::size);
  }
}
