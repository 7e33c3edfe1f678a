package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads, verifies, copies and writes files that have virtual datasets, changed fields and corrected
 * checksums, on one rank and on two. Each operation must give a result or a documented exception.
 */
class ChangedVirtualFieldsTest {
  /** Number of cases; {@code -Pslow} and {@code -Pstress} run 10,000 and more. */
  private static final long CASES = Long.getLong("skerry.fuzz.virtual", 200);

  private static final long FIRST = Long.getLong("skerry.fuzz.first", 0);

  @TempDir Path temporary;

  @Test
  void changed_mappings_cause_a_documented_exception_or_a_result() throws Exception {
    new CampaignProcesses("-virtual", FIRST, CASES, temporary).run(VirtualSeedFiles::write);
  }

  @Test
  void the_fields_of_each_block_of_mappings_are_changed() throws Exception {
    VirtualSeedFiles.write(temporary);
    Set<String> names = new HashSet<>();
    Set<Integer> versions = new HashSet<>();
    for (Path seed : SeedFiles.in(temporary)) {
      byte[] sound = Files.readAllBytes(seed);
      FieldMap map = FieldMap.of(sound, FieldCampaign.chunks(seed));
      boolean found = false;
      for (Structure structure : map.structures()) {
        structure.fields().forEach(field -> names.add(structure.kind() + " " + field.name()));
        if (structure.kind().equals("mappings")) {
          found = true;
          versions.add((int) sound[structure.from()]);
        }
      }
      assertTrue(found, seed.toString());
    }
    assertEquals(Set.of(0, 1), versions);
    assertTrue(
        names.containsAll(
            Set.of(
                "heap objects size",
                "mappings flags",
                "mappings entry",
                "source names name",
                "mapped selections selection.blocks",
                "mapped selections selection.coordinate")),
        names.toString());
  }
}
