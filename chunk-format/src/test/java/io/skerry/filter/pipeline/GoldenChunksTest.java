package io.skerry.filter.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.filter.GoldenChunk;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests chunks that the HDF5 library and the original filter plugins wrote. */
class GoldenChunksTest {
  private static final List<GoldenChunk> CHUNKS =
      Stream.of("hdf5-chunks.tsv", "plugin-chunks.tsv")
          .flatMap(name -> GoldenChunk.all(name).stream())
          .toList();

  /** Filters whose output must equal that of the HDF5 library. */
  private static final Set<Integer> EXACT = Set.of(Filters.NBIT, Filters.SCALE_OFFSET);

  @Test
  void every_chunk_of_other_libraries_decodes_to_its_elements() {
    List<String> wrong = new ArrayList<>();
    for (GoldenChunk chunk : CHUNKS) {
      try {
        byte[] decoded = decode(chunk, chunk.stored());
        if (decoded.length != chunk.length() || !sha256(decoded).equals(chunk.sha256())) {
          wrong.add(chunk + ": " + HexFormat.of().formatHex(decoded));
        }
      } catch (RuntimeException e) {
        wrong.add(chunk + ": " + e);
      }
    }
    assertEquals(List.of(), wrong);
    Map<Integer, Long> perFilter =
        CHUNKS.stream()
            .collect(
                Collectors.groupingBy(c -> c.spec().id(), TreeMap::new, Collectors.counting()));
    System.out.println("golden chunks decoded, by filter: " + perFilter);
    assertTrue(perFilter.size() >= 9, perFilter.toString());
  }

  @Test
  void client_data_are_those_that_other_libraries_store() {
    List<String> wrong = new ArrayList<>();
    for (GoldenChunk chunk : CHUNKS) {
      FilterSpec bound =
          FilterPipeline.of(chunk.unbound()).bind(chunk.target()).filters().getFirst();
      if (!bound.equals(chunk.spec())) {
        wrong.add(chunk + ": expected=" + chunk.spec() + " actual=" + bound);
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void chunks_encoded_again_decode_equally_and_are_identical_where_the_library_is_exact() {
    List<String> wrong = new ArrayList<>();
    int same = 0;
    for (GoldenChunk chunk : CHUNKS) {
      byte[] decoded = decode(chunk, chunk.stored());
      byte[] original = chunk.original().orElse(decoded);
      FilterPipeline pipeline = FilterPipeline.of(chunk.spec()).withGrowth(Filter.Growth.STORED);
      FilterPipeline.Encoded encoded = pipeline.apply(MemorySegment.ofArray(original));
      byte[] stored = encoded.bytes().toArray(ValueLayout.JAVA_BYTE);
      assertEquals(0, encoded.mask(), chunk.name());
      assertArrayEquals(decoded, decode(chunk, stored), chunk.name());
      boolean equal = Arrays.equals(stored, chunk.stored());
      same += equal ? 1 : 0;
      if (!equal && EXACT.contains(chunk.spec().id())) {
        wrong.add(
            chunk
                + ":\n"
                + HexFormat.of().formatHex(chunk.stored())
                + "\n"
                + HexFormat.of().formatHex(stored));
      }
    }
    System.out.println("golden chunks encoded to the same bytes: " + same + " of " + CHUNKS.size());
    assertEquals(List.of(), wrong);
  }

  @Test
  void mutated_chunks_cause_a_format_exception_or_stay_within_the_limit() {
    Random random = new Random(2026);
    int refused = 0;
    int rounds = 0;
    for (GoldenChunk chunk : CHUNKS) {
      for (int round = 0; round < 60; round++) {
        byte[] damaged = mutated(random, chunk.stored());
        rounds++;
        try {
          assertTrue(decode(chunk, damaged).length <= chunk.length(), chunk.name());
        } catch (FormatException | UnsupportedFeatureException e) {
          refused++;
        } catch (RuntimeException | Error e) {
          throw new AssertionError(chunk + " " + HexFormat.of().formatHex(damaged), e);
        }
      }
    }
    System.out.println("mutated chunks: " + rounds + " refused: " + refused);
    assertTrue(refused > rounds / 10, "refused=" + refused);
  }

  @Test
  void mutated_client_data_cause_a_format_exception_or_stay_within_the_limit() {
    Random random = new Random(2027);
    int refused = 0;
    for (GoldenChunk chunk : CHUNKS) {
      for (int round = 0; round < 30; round++) {
        int[] data = chunk.spec().clientData();
        if (data.length == 0) {
          break;
        }
        int at = random.nextInt(data.length);
        data[at] = random.nextBoolean() ? random.nextInt() : data[at] ^ 1 << random.nextInt(8);
        FilterPipeline pipeline = FilterPipeline.of(chunk.spec().withClientData(data));
        try {
          MemorySegment stored = MemorySegment.ofArray(chunk.stored());
          assertTrue(pipeline.undo(stored, 0, chunk.length()).byteSize() <= chunk.length());
          pipeline.bindWherePossible(chunk.target());
        } catch (FormatException | UnsupportedFeatureException e) {
          refused++;
        } catch (RuntimeException | Error e) {
          throw new AssertionError(chunk + " " + Arrays.toString(data), e);
        }
      }
    }
    assertTrue(refused > 500, "refused=" + refused);
  }

  private static byte[] mutated(Random random, byte[] stored) {
    byte[] bytes =
        random.nextInt(4) == 0
            ? Arrays.copyOf(stored, random.nextInt(stored.length + 5))
            : stored.clone();
    for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
      int near = random.nextBoolean() ? Math.min(bytes.length, 24) : bytes.length;
      bytes[random.nextInt(near)] =
          (byte) (random.nextBoolean() ? random.nextInt() : random.nextBoolean() ? 0 : 255);
    }
    return bytes;
  }

  private static byte[] decode(GoldenChunk chunk, byte[] stored) {
    return FilterPipeline.of(chunk.spec())
        .undo(MemorySegment.ofArray(stored), 0, chunk.length())
        .toArray(ValueLayout.JAVA_BYTE);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void client_data_that_no_write_can_follow_cause_a_format_exception() {
    FilterSpec.Flag flag = FilterSpec.Flag.MANDATORY;
    for (FilterSpec spec :
        List.of(
            FilterSpec.of(Filters.BZIP2, flag, 0),
            FilterSpec.of(Filters.BZIP2, flag, 10),
            FilterSpec.of(Filters.DEFLATE, flag, 10),
            FilterSpec.of(Filters.BITSHUFFLE, flag, 0, 4, 8, 1 << 28, 2),
            FilterSpec.of(Filters.BITSHUFFLE, flag, 0, 4, 2, (1 << 30) - 8 + (1 << 29), 3))) {
      FilterPipeline pipeline = FilterPipeline.of(spec);
      MemorySegment bytes = MemorySegment.ofArray(new byte[64]);
      assertThrows(FormatException.class, () -> pipeline.apply(bytes), spec.toString());
    }
  }

  @Test
  void a_limit_below_the_chunk_is_kept() {
    for (GoldenChunk chunk : CHUNKS) {
      // A decoder cannot detect that an uncompressed copy of a small chunk is too short.
      if (chunk.length() > 40) {
        MemorySegment stored = MemorySegment.ofArray(chunk.stored());
        FilterPipeline pipeline = FilterPipeline.of(chunk.spec());
        assertThrows(
            FormatException.class,
            () -> pipeline.undo(stored, 0, chunk.length() - 1),
            chunk.name());
      }
    }
  }
}
