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
  void a_family_reads_as_the_bytes_it_was_cut_from() throws IOException {
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

  /** Three members, as HDF5 lays them out by default; the second is missing. */
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
  void addresses_beyond_two_to_the_63_are_moved_to_where_they_can_be_read() throws IOException {
    SegmentMap spread = multi();
    AddressMapping places = spread.places();
    assertEquals(2, places.map(2));
    assertEquals(17, places.map(0xd555555555555553L));
    assertEquals(18, places.end(0xd555555555555554L));
    try (SegmentedFile file = SegmentedFile.open(folder.resolve("m"), spread)) {
      FileSource source = new FileSource(file, 0);
      assertEquals(18, source.size());
      MemorySegment read = source.read(source.places().map(0xd555555555555552L), 2);
      assertArrayEquals(new byte[] {30, 31}, read.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @Test
  void bytes_of_a_missing_member_are_refused_with_its_name() throws IOException {
    SegmentMap spread = multi();
    for (long inside : new long[] {0, 1, 4096, 1L << 40}) {
      long place = spread.places().map(0x5555555555555554L + inside);
      FormatException refused = assertThrows(FormatException.class, () -> spread.require(place, 1));
      assertEquals("a member of the file is missing", refused.what());
      assertEquals("no such file", refused.actual());
      assertTrue(refused.file().orElseThrow().endsWith("m-r.h5"));
      assertEquals(inside, refused.address().orElseThrow());
    }
  }

  @Test
  void nothing_runs_from_one_member_into_the_next() throws IOException {
    SegmentMap spread = multi();
    spread.require(0, 3);
    spread.require(16, 2);
    for (long[] beyond : new long[][] {{0, 4}, {2, 9}, {3, 1}, {0, 17}, {16, 3}}) {
      FormatException refused =
          assertThrows(FormatException.class, () -> spread.require(beyond[0], beyond[1]));
      assertEquals("bytes beyond the end of a member of the file", refused.what());
    }
    long far = spread.places().map(0x5000000000000000L);
    assertThrows(FormatException.class, () -> spread.require(far, 1));
  }

  @Test
  void memory_is_not_taken_for_bytes_that_are_not_there() throws IOException {
    try (SegmentedFile file = SegmentedFile.open(folder.resolve("m"), multi())) {
      FileSource source = new FileSource(file, 0);
      assertThrows(FormatException.class, () -> source.read(0, 1L << 61));
      assertThrows(FormatException.class, () -> source.read(1L << 62, 1L << 61));
      assertThrows(FormatException.class, () -> source.read(-1, 1));
    }
  }

  @Test
  void other_ranks_get_the_same_files() throws IOException {
    assertEquals(multi(), SegmentMap.decode(multi().encode()).orElseThrow());
    assertTrue(SegmentMap.decode(new byte[0]).isEmpty());
  }

  @Test
  void it_is_only_read() throws IOException {
    try (SegmentedFile file = SegmentedFile.open(folder.resolve("m"), multi())) {
      assertThrows(
          IllegalStateException.class, () -> file.writeAt(0, MemorySegment.ofArray(new byte[1])));
      assertThrows(IllegalStateException.class, () -> file.setSize(0));
    }
  }
}
