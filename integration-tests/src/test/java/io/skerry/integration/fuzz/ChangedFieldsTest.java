package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads, verifies, copies and writes files of h5py and Skerry with changed fields and corrected
 * checksums in a heap of 512 MiB. Each operation must give a result or a documented exception.
 */
class ChangedFieldsTest {
  /** Number of cases; {@code -Pstress} runs many more and continues earlier runs. */
  private static final long CASES = Long.getLong("skerry.fuzz.cases", 20_000);

  private static final long FIRST = Long.getLong("skerry.fuzz.first", 0);

  @TempDir Path temporary;

  @Test
  void changed_fields_cause_a_documented_exception_or_a_result_in_a_heap_of_512_mebibytes()
      throws Exception {
    new CampaignProcesses("", FIRST, CASES, temporary).run(SeedFiles::write);
  }

  @Test
  void a_changed_field_has_a_valid_checksum_and_is_determined_by_the_case_number()
      throws Exception {
    SeedFiles.write(temporary);
    Set<String> kinds = new HashSet<>();
    for (Path seed : SeedFiles.in(temporary)) {
      byte[] sound = Files.readAllBytes(seed);
      FieldMap map = FieldMap.of(sound, FieldCampaign.chunks(seed));
      map.structures().forEach(structure -> kinds.add(structure.kind()));
      FieldMutator mutator = new FieldMutator(map);
      for (long number = 0; number < 20; number++) {
        byte[] changed = mutator.apply(mutator.changes(number));
        assertArrayEquals(changed, mutator.apply(new FieldMutator(map).changes(number)));
        assertEquals(sound.length, changed.length);
        List<ChecksumField> wrong = new ArrayList<>(map.seals());
        wrong.removeIf(seal -> seal.isRight(changed));
        assertEquals(List.of(), wrong, () -> seed + " " + Arrays.toString(changed));
      }
    }
    assertTrue(kinds.containsAll(Set.of("superblock", "OHDR", "FAHD", "BTLF", "section")));
  }

  @Test
  void documented_exceptions_are_distinguished_from_defects() {
    CaseClassifier judge = new CaseClassifier("case");
    judge.failed(new io.skerry.exception.FormatException("level of case.h5", "0..9", 12));
    judge.said("skerry: no such object: path=/null file=x");
    assertTrue(judge.defects().isEmpty(), judge.defects().toString());
    judge.failed(new ArrayIndexOutOfBoundsException(7));
    judge.failed(new StackOverflowError());
    judge.failed(new OutOfMemoryError("Java heap space"));
    judge.failed(new io.skerry.exception.FormatException("out of memory, case", 1, 2));
    judge.failed(new io.skerry.exception.FormatException("level", "0..9", 12));
    judge.said("skerry: an internal error of skerry, please report it: x");
    assertEquals(6, judge.defects().size(), judge.defects().toString());
    assertFalse(judge.defects().getFirst().isEmpty());
  }
}
