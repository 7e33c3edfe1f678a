package io.skerry.testkit.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The campaign itself finds what it is there to find. */
class CampaignTest {
  @TempDir Path folder;

  private Path sound() {
    Path path = folder.resolve("sound.h5");
    try (H5File file = H5File.create(path)) {
      file.createGroup("/a/b/c");
    }
    return path;
  }

  private Campaign campaign(Campaign.Reader reader) {
    return new Campaign(List.of(sound()), reader, Duration.ofMillis(300), folder);
  }

  @Test
  void each_way_to_end_is_counted_as_what_it_is() throws Exception {
    int[] turn = {0};
    Campaign.Reader reader =
        file -> {
          switch (turn[0]++) {
            case 0 -> {}
            case 1 -> throw new FormatException("signature", "OHDR", "other bytes");
            case 2 -> throw new IllegalStateException(new UnsupportedFeatureException("x", "y"));
            case 3 -> throw new ArrayIndexOutOfBoundsException(7);
            case 4 -> throw new StackOverflowError();
            default -> Thread.sleep(60_000);
          }
        };
    try (Campaign campaign = campaign(reader)) {
      campaign.run(0, 6);
      assertEquals(
          Map.of(
              Outcome.READ, 1L,
              Outcome.DAMAGED, 1L,
              Outcome.UNSUPPORTED, 1L,
              Outcome.DEFECT, 2L,
              Outcome.HANG, 1L),
          campaign.counts());
      assertEquals(
          List.of(3L, 4L, 5L), campaign.findings().stream().map(Campaign.Finding::number).toList());
    }
  }

  @Test
  void a_mutation_follows_from_its_number_and_differs_from_the_sound_file() throws IOException {
    byte[] sound = Files.readAllBytes(sound());
    for (long seed = 0; seed < 500; seed++) {
      byte[] damaged = new Mutator(sound).mutate(seed);
      assertArrayEquals(damaged, new Mutator(sound).mutate(seed));
      assertFalse(Arrays.equals(sound, damaged), "seed " + seed);
    }
  }

  @Test
  void damage_gets_behind_the_checksums() throws Exception {
    int[] behind = {0};
    Campaign.Reader reader =
        file -> {
          try {
            ReadEverything.of(file);
          } catch (RuntimeException e) {
            behind[0] += String.valueOf(e.getMessage()).contains("checksum") ? 0 : 1;
            throw e;
          }
        };
    try (Campaign campaign = campaign(reader)) {
      campaign.run(0, 400);
      assertTrue(behind[0] > 60, "refused for other reasons than a checksum: " + behind[0]);
      assertTrue(campaign.findings().isEmpty(), campaign.findings().toString());
    }
  }
}
