package io.skerry.format.file;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Interpreter;
import io.skerry.format.block.MemoryFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lists mutated files of the earliest versions and with shared messages, which must be listed or
 * refused with a {@link FormatException} or an {@link UnsupportedFeatureException}; other
 * exceptions, hangs and excessive memory use are failures.
 */
class HostileEarlyFilesTest {
  private static final int MUTANTS = Boolean.getBoolean("skerry.thorough") ? 3000 : 800;
  private static final Set<String> SIGNATURES =
      Set.of(
          "TREE", "SNOD", "HEAP", "OHDR", "OCHK", "SMTB", "SMLI", "FRHP", "FHDB", "FHIB", "BTHD",
          "BTLF", "BTIN");

  @TempDir Path directory;

  private byte[] make(String low, String calls) throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    Path made = Files.createDirectory(directory.resolve("made"));
    Interpreter.all()
        .get(0)
        .run(
            directory,
            EarlyFilesTest.PRELUDE
                + "with fresh('seed.h5', '%s'%s) as f:\n    fill(f)\n".formatted(low, calls),
            made);
    return Files.readAllBytes(made.resolve("seed.h5"));
  }

  /**
   * Returns the positions of structures; mutations of their first bytes have the greatest effect.
   */
  private static List<Integer> structures(byte[] bytes) {
    List<Integer> found = new ArrayList<>(List.of(0));
    for (int at = 0; at + 4 <= bytes.length; at++) {
      if (SIGNATURES.contains(new String(bytes, at, 4, StandardCharsets.ISO_8859_1))) {
        found.add(at);
      }
    }
    return found;
  }

  private static void mutate(byte[] bytes, List<Integer> structures, Random random) {
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int at =
          random.nextInt(3) == 0
              ? random.nextInt(bytes.length)
              : Math.min(
                  bytes.length - 1,
                  structures.get(random.nextInt(structures.size())) + random.nextInt(120));
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        case 2 -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0);
        case 3 -> {
          // The address or length of another structure.
          int from = structures.get(random.nextInt(structures.size()));
          for (int k = 0; k < 8 && at + k < bytes.length; k++) {
            bytes[at + k] = (byte) ((long) from >>> (8 * k));
          }
        }
        default -> {
          byte fill = (byte) (random.nextBoolean() ? 0xff : 0x7f);
          for (int k = at; k < Math.min(bytes.length, at + 8); k++) {
            bytes[k] = fill;
          }
        }
      }
    }
  }

  /** Repairs the checksums that were valid before the mutation. */
  private static void repair(byte[] bytes, List<int[]> checked) {
    MemorySegment all = MemorySegment.ofArray(bytes);
    for (int[] block : checked) {
      MemorySegment body = all.asSlice(block[0], block[1] - block[0]);
      all.set(ValueLayout.JAVA_INT_UNALIGNED, block[1], Lookup3.checksum(body));
    }
  }

  private static List<int[]> checksums(byte[] bytes, List<Integer> structures) {
    List<int[]> found = new ArrayList<>();
    MemorySegment all = MemorySegment.ofArray(bytes);
    for (int at : structures) {
      for (int end = at + 8; end + 4 <= bytes.length && end < at + 4200; end++) {
        if (Lookup3.checksum(all.asSlice(at, end - at))
            == all.get(ValueLayout.JAVA_INT_UNALIGNED, end)) {
          found.add(new int[] {at, end});
          break;
        }
      }
    }
    return found;
  }

  private static void survive(byte[] whole, long seed) {
    List<Integer> structures = structures(whole);
    List<int[]> checked = checksums(whole, structures);
    assertTrue(structures.size() > 5);
    assertTrue(list(whole) > 30);
    int[] outcomes = new int[3];
    for (int i = 0; i < MUTANTS; i++) {
      Random random = new Random(seed * 1_000_003 + i);
      byte[] bytes = whole.clone();
      mutate(bytes, structures, random);
      if (random.nextInt(4) > 0) {
        repair(bytes, checked);
      }
      int mutant = i;
      int outcome =
          assertTimeoutPreemptively(
              Duration.ofSeconds(5), () -> outcome(bytes), () -> "mutant " + mutant);
      outcomes[outcome]++;
    }
    System.out.printf(
        "mutants %d: listed %d, refused %d, unsupported %d%n",
        MUTANTS, outcomes[0], outcomes[1], outcomes[2]);
    assertTrue(outcomes[0] > 0 && outcomes[1] > 0);
  }

  private static int list(byte[] bytes) {
    return Listing.of(FormatFile.open(MemoryFile.of(bytes)), Listing.Detail.DAMAGED).size();
  }

  private static int outcome(byte[] bytes) {
    try {
      return list(bytes) > 0 ? 0 : 1;
    } catch (FormatException e) {
      return 1;
    } catch (UnsupportedFeatureException e) {
      return 2;
    }
  }

  @Test
  void an_earliest_file_survives_mutation() throws IOException {
    survive(make("earliest", ", ('H5Pset_sym_k', 2, 2)"), 1);
  }

  @Test
  void a_file_with_a_list_of_shared_messages_survives_mutation() throws IOException {
    survive(
        make(
            "earliest",
            """
            , ('H5Pset_shared_mesg_nindexes', 1), ('H5Pset_shared_mesg_index', 0, 0x182a, 1)\
            """),
        2);
  }

  @Test
  void a_file_with_a_tree_of_shared_messages_survives_mutation() throws IOException {
    survive(
        make(
            "latest",
            """
            , ('H5Pset_shared_mesg_nindexes', 1), ('H5Pset_shared_mesg_index', 0, 0x182a, 1), \
            ('H5Pset_shared_mesg_phase_change', 0, 0)\
            """),
        3);
  }
}
