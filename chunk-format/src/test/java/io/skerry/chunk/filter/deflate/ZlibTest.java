package io.skerry.chunk.filter.deflate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.basic.Unshuffle;
import io.skerry.chunk.filter.bits.DecodeLimit;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the two zlib implementations, and joined planes with a plain transposition. */
class ZlibTest {
  private static final SegmentAllocator HEAP = (bytes, _) -> HeapBytes.allocate(bytes);

  /** The bytes of a result that exceeds its room. No stream is empty. */
  private static final byte[] NONE = {};

  private final Zlib java = new JavaZlib();

  private Zlib library() {
    Optional<Zlib> found = Libdeflate.find();
    assumeTrue(found.isPresent(), "libdeflate is not installed");
    return found.get();
  }

  private static byte[] sample(Random random) {
    byte[] bytes = new byte[random.nextInt(20_000)];
    int kinds = 1 + random.nextInt(256);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(8) == 0 ? random.nextInt(kinds) : i / 50);
    }
    return bytes;
  }

  private static DecodeLimit limit(int bytes) {
    return new DecodeLimit("deflate", bytes, HeapBytes.MAX_ARRAY);
  }

  private static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  private static MemorySegment segment(byte[] bytes) {
    return MemorySegment.ofArray(bytes);
  }

  @Test
  void each_library_reads_what_the_other_wrote_from_heap_and_native_memory() {
    Zlib library = library();
    Random random = new Random(41);
    for (int i = 0; i < 300; i++) {
      byte[] plain = sample(random);
      int level = random.nextInt(11) - 1;
      int room = plain.length + 100;
      byte[] ours = bytes(library.deflate(segment(plain), level, room).orElseThrow());
      byte[] theirs = bytes(java.deflate(segment(plain), level, room).orElseThrow());
      assertArrayEquals(plain, bytes(java.inflate(segment(ours), limit(plain.length), HEAP)));
      assertArrayEquals(plain, bytes(library.inflate(segment(theirs), limit(plain.length), HEAP)));
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment stored = arena.allocate(theirs.length).copyFrom(segment(theirs));
        assertArrayEquals(plain, bytes(library.inflate(stored, limit(plain.length + 7), arena)));
      }
    }
  }

  @Test
  void a_result_that_exceeds_the_limit_is_empty() {
    byte[] noise = new byte[5000];
    new Random(7).nextBytes(noise);
    assertTrue(library().deflate(segment(noise), 6, noise.length - 1).isEmpty());
    assertTrue(library().deflate(segment(noise), 6, 0).isEmpty());
  }

  @Test
  void damage_has_the_same_result_with_and_without_the_library() {
    Zlib library = library();
    Random random = new Random(43);
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
      byte[] plain = sample(random);
      byte[] stored = bytes(java.deflate(segment(plain), 6, plain.length + 100).orElseThrow());
      int length = random.nextInt(4) == 0 ? random.nextInt(stored.length + 1) : stored.length;
      byte[] damaged = Arrays.copyOf(stored, length);
      if (length > 0) {
        damaged[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
      }
      int most = random.nextInt(3) == 0 ? plain.length / 2 : plain.length + random.nextInt(3);
      Optional<byte[]> expected = outcome(java, damaged, most);
      Optional<byte[]> actual = outcome(library, damaged, most);
      assertEquals(expected.isPresent(), actual.isPresent());
      expected.ifPresent(bytes -> assertArrayEquals(bytes, actual.orElseThrow()));
      refused += expected.isPresent() ? 0 : 1;
    }
    assertTrue(refused > 2000, "refused=" + refused);
  }

  private static Optional<byte[]> outcome(Zlib zlib, byte[] stored, int most) {
    try {
      return Optional.of(bytes(zlib.inflate(segment(stored), limit(most), HEAP)));
    } catch (FormatException e) {
      return Optional.empty();
    }
  }

  @Test
  void a_bomb_is_refused_at_the_limit_and_memory_grows_with_the_output() {
    byte[] zeros = new byte[64 << 20];
    byte[] bomb = bytes(java.deflate(segment(zeros), 9, zeros.length).orElseThrow());
    long[] taken = {0};
    SegmentAllocator counting =
        (bytes, _) -> {
          taken[0] = Math.max(taken[0], bytes);
          return HeapBytes.allocate(bytes);
        };
    assertThrows(
        FormatException.class, () -> library().inflate(segment(bomb), limit(8 << 20), counting));
    assertEquals(8 << 20, taken[0]);
    byte[] small = bytes(java.deflate(segment(new byte[100]), 9, 100).orElseThrow());
    taken[0] = 0;
    assertEquals(
        100, library().inflate(segment(small), limit(HeapBytes.MAX_ARRAY), counting).byteSize());
    assertTrue(taken[0] <= 1 << 20, "taken=" + taken[0]);
  }

  @Test
  void a_stream_that_is_too_long_only_for_an_array_is_not_supported() {
    byte[] stream = bytes(java.deflate(segment(new byte[1000]), 6, 1000).orElseThrow());
    List<Zlib> both = List.of(java, Libdeflate.find().orElse(java));
    for (Zlib zlib : both) {
      assertThrows(
          UnsupportedFeatureException.class,
          () -> zlib.inflate(segment(stream), new DecodeLimit("deflate", 1000, 999), HEAP));
      assertThrows(
          FormatException.class,
          () -> zlib.inflate(segment(stream), new DecodeLimit("deflate", 999, 999), HEAP));
      DecodeLimit enough = new DecodeLimit("deflate", 5000, 1000);
      assertEquals(1000, zlib.inflate(segment(stream), enough, HEAP).byteSize());
    }
  }

  @Test
  void joining_planes_agrees_with_a_plain_loop() {
    Random random = new Random(47);
    for (int size : new int[] {2, 4, 8}) {
      for (int length : new int[] {2 * size, 7 * size + 1, 8 * size, 1000, 4096 + size - 1}) {
        byte[] planes = new byte[length];
        random.nextBytes(planes);
        int count = length / size;
        byte[] expected = planes.clone();
        for (int i = 0; i < count * size; i++) {
          expected[i] = planes[i % size * count + i / size];
        }
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment in = arena.allocate(length).copyFrom(segment(planes));
          MemorySegment out = arena.allocate(length);
          Unshuffle.join(in, out, count, size);
          assertArrayEquals(expected, bytes(out), "size=" + size + " length=" + length);
        }
      }
    }
  }

  @Test
  void planes_of_any_length_and_level_round_trip() {
    JavaZlib small = new JavaZlib();
    Random random = new Random(43);
    for (int i = 0; i < 500; i++) {
      byte[] plain = sample(random);
      int plane = 1 + random.nextInt(Math.max(1, plain.length));
      int level = random.nextInt(11) - 1;
      byte[] stream =
          bytes(small.deflate(segment(plain), level, plain.length + 1000, plane).orElseThrow());
      assertArrayEquals(plain, bytes(java.inflate(segment(stream), limit(plain.length), HEAP)));
      assertEquals(Optional.empty(), small.deflate(segment(plain), level, 1, plane));
    }
  }

  @Test
  void a_used_stream_gives_the_bytes_of_a_new_one_after_successes_and_failures() {
    JavaZlib used = new JavaZlib();
    Random random = new Random(45);
    for (int i = 0; i < 300; i++) {
      byte[] plain = sample(random);
      int level = random.nextInt(11) - 1;
      int room = random.nextInt(4) == 0 ? random.nextInt(100) : plain.length + 1000;
      int plane = 1 + random.nextInt(Math.max(1, plain.length));
      MemorySegment in = segment(plain);
      assertSame(new JavaZlib().deflate(in, level, room), used.deflate(in, level, room));
      assertSame(
          new JavaZlib().deflate(in, level, room, plane), used.deflate(in, level, room, plane));
      assertSame(new JavaZlib().deflateRaw(in, level, room), used.deflateRaw(in, level, room));
      byte[] stream = bytes(used.deflate(in, level, plain.length + 1000).orElseThrow());
      byte[] damaged = Arrays.copyOf(stream, stream.length / 2);
      assertThrows(
          FormatException.class, () -> used.inflate(segment(damaged), limit(plain.length), HEAP));
      assertArrayEquals(plain, bytes(used.inflate(segment(stream), limit(plain.length), HEAP)));
    }
  }

  private static void assertSame(Optional<MemorySegment> expected, Optional<MemorySegment> actual) {
    assertArrayEquals(
        expected.map(ZlibTest::bytes).orElse(NONE), actual.map(ZlibTest::bytes).orElse(NONE));
  }

  @Test
  void planes_of_different_noise_are_encoded_in_separate_blocks() {
    Random random = new Random(44);
    byte[] planes = new byte[1200];
    for (int i = 0; i < 600; i++) {
      planes[i] = (byte) random.nextInt(256);
      planes[600 + i] = (byte) random.nextInt(64);
    }
    int alone = (int) java.deflate(segment(planes), 6, 2000).orElseThrow().byteSize();
    int divided =
        (int) new JavaZlib().deflate(segment(planes), 6, 2000, 600).orElseThrow().byteSize();
    assertTrue(divided <= 1100, "divided=" + divided);
    assertTrue(alone >= 1180, "alone=" + alone);
  }

  /** Returns planes of noise, of runs, and of repetitions, followed by some bytes. */
  private static byte[] planes(Random random, int plane, int count) {
    byte[] bytes = new byte[plane * count + random.nextInt(count)];
    for (int p = 0; p < count; p++) {
      int kind = random.nextInt(4);
      int width = 1 + random.nextInt(100);
      for (int i = p * plane; i < (p + 1) * plane; i++) {
        bytes[i] =
            (byte)
                switch (kind) {
                  case 0 -> Math.round(width * random.nextGaussian());
                  case 1 -> random.nextInt(100) == 0 ? 1 : 0;
                  case 2 -> i % 500 * 77;
                  default -> width;
                };
      }
    }
    return bytes;
  }

  @Test
  void planes_encoded_without_search_round_trip_with_and_without_the_library() {
    Random random = new Random(45);
    int shorter = 0;
    for (int i = 0; i < 60; i++) {
      int plane = (int) PlaneDeflate.SHORTEST_PLANE + random.nextInt(200_000);
      byte[] plain = planes(random, plane, 1 + random.nextInt(4));
      int level = random.nextInt(10) == 0 ? -1 : 1 + random.nextInt(9);
      int room = plain.length + 1000;
      for (Zlib zlib : List.of(java, library())) {
        MemorySegment made =
            PlaneDeflate.deflate(segment(plain), level, room, plane, zlib).orElseThrow();
        int bytes = (int) made.byteSize();
        assertArrayEquals(plain, bytes(java.inflate(made, limit(plain.length), HEAP)));
        assertArrayEquals(plain, bytes(library().inflate(made, limit(plain.length), HEAP)));
        // libdeflate needs slightly more space for the output than it fills.
        assertEquals(
            Optional.of(bytes),
            PlaneDeflate.deflate(segment(plain), level, bytes + 64, plane, zlib)
                .map(stream -> (int) stream.byteSize()));
        assertEquals(
            Optional.empty(), PlaneDeflate.deflate(segment(plain), level, bytes - 1, plane, zlib));
        long alone = zlib.deflate(segment(plain), level, room).orElseThrow().byteSize();
        assertTrue(bytes <= alone * 1.02 + 100, "bytes=" + bytes + " alone=" + alone);
        shorter += bytes < alone ? 1 : 0;
      }
    }
    assertTrue(shorter > 20, "shorter=" + shorter);
  }

  @Test
  void repetitive_data_are_compressed_as_without_planes() {
    byte[] plain = new byte[100_000];
    for (int i = 0; i < plain.length; i++) {
      plain[i] = (byte) (i % 250 * 77);
    }
    for (Zlib zlib : List.of(java, library())) {
      byte[] alone = bytes(zlib.deflate(segment(plain), 6, plain.length).orElseThrow());
      byte[] planes =
          bytes(PlaneDeflate.deflate(segment(plain), 6, plain.length, 25_000, zlib).orElseThrow());
      assertArrayEquals(alone, planes);
    }
  }
}
