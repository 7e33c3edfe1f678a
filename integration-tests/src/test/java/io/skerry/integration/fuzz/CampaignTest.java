package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a campaign detects the defects that it is made for. */
class CampaignTest {
  @TempDir Path folder;

  private Path sound() {
    Path path = folder.resolve("sound.h5");
    try (H5File file = H5File.create(path)) {
      file.createGroup("/a/b/c");
    }
    return path;
  }

  private static CollectiveException refused(Exception why) {
    return new CollectiveException(
        Operation.OPEN_FILE,
        "file=x",
        List.of(0),
        Communicator.RankSet.of(1),
        "refused",
        Optional.of(why));
  }

  private Campaign campaign(Campaign.Reader reader) {
    return new Campaign(List.of(sound()), reader, Duration.ofMillis(300), folder);
  }

  @Test
  void each_outcome_is_classified() throws Exception {
    int[] turn = {0};
    Campaign.Reader reader =
        file -> {
          switch (turn[0]++) {
            case 0 -> {}
            case 1 -> throw new FormatException("signature", "OHDR", "other bytes");
            case 2 -> throw refused(new UnsupportedFeatureException("x", "y"));
            case 3 -> throw new ArrayIndexOutOfBoundsException(7);
            case 4 -> throw new StackOverflowError();
            case 5 -> throw refused(refused(new FormatException("heap", 1, 2)));
            case 6 -> throw refused(new IllegalStateException(new FormatException("h", 1, 2)));
            default -> Thread.sleep(60_000);
          }
        };
    try (Campaign campaign = campaign(reader)) {
      campaign.run(0, 8);
      assertEquals(
          Map.of(
              Outcome.READ, 1L,
              Outcome.DAMAGED, 2L,
              Outcome.UNSUPPORTED, 1L,
              Outcome.DEFECT, 3L,
              Outcome.HANG, 1L),
          campaign.counts());
      assertEquals(
          List.of(3L, 4L, 6L, 7L),
          campaign.findings().stream().map(Campaign.Finding::number).toList());
    }
  }

  @Test
  void a_mutation_is_determined_by_its_number_and_differs_from_the_file() throws IOException {
    byte[] sound = Files.readAllBytes(sound());
    for (long seed = 0; seed < 500; seed++) {
      byte[] damaged = new Mutator(sound).mutate(seed);
      assertArrayEquals(damaged, new Mutator(sound).mutate(seed));
      assertFalse(Arrays.equals(sound, damaged), "seed " + seed);
    }
  }

  @Test
  void mutations_also_change_bytes_under_valid_checksums() throws Exception {
    byte[] sound = Files.readAllBytes(sound());
    ChecksummedBlocks blocks = ChecksummedBlocks.of(sound);
    int mended = 0;
    for (long seed = 0; seed < 1000; seed++) {
      byte[] damaged = new Mutator(sound).mutate(seed);
      boolean whole = damaged.length == sound.length;
      for (ChecksummedBlocks.Range range : blocks.ranges()) {
        whole &= range.to() + 4 <= damaged.length && blocks.isWhole(damaged, range);
      }
      mended += whole && !inside(blocks, sound, damaged).isEmpty() ? 1 : 0;
    }
    assertTrue(mended > 300, "damaged blocks with a right checksum: " + mended);
    try (Campaign campaign = campaign(ReadEverything::of)) {
      campaign.run(0, 400);
      assertTrue(campaign.findings().isEmpty(), campaign.findings().toString());
    }
  }

  /** Returns the positions in checksummed blocks at which two files differ. */
  private static List<Integer> inside(ChecksummedBlocks blocks, byte[] one, byte[] other) {
    List<Integer> places = new ArrayList<>();
    for (ChecksummedBlocks.Range range : blocks.ranges()) {
      for (int at = range.from(); at < range.to(); at++) {
        if (one[at] != other[at]) {
          places.add(at);
        }
      }
    }
    return places;
  }

  /**
   * Every block of the file is in use, so each flipped bit is detected: by the checksum, or as
   * another error if it changes a signature or a length.
   */
  @Test
  void every_bit_flipped_in_a_checksummed_block_is_detected() throws Exception {
    byte[] sound = Files.readAllBytes(sound());
    ChecksummedBlocks blocks = ChecksummedBlocks.of(sound);
    Path damaged = folder.resolve("flipped.h5");
    int flips = 0;
    int checksums = 0;
    for (ChecksummedBlocks.Range range : blocks.ranges()) {
      for (int at = range.from(); at < range.to() + 4; at++) {
        byte[] bytes = sound.clone();
        bytes[at] ^= (byte) (1 << (at & 7));
        Files.write(damaged, bytes);
        RuntimeException noticed =
            assertThrows(
                RuntimeException.class, () -> ReadEverything.of(damaged), "flipped at " + at);
        boolean direct = noticed instanceof FormatException;
        assertTrue(direct || noticed.getCause() instanceof FormatException, noticed.toString());
        checksums += noticed.getMessage().contains("checksum") ? 1 : 0;
        flips++;
      }
    }
    assertTrue(flips > 400, "flips: " + flips);
    assertTrue(checksums > flips / 2, "noticed by a checksum: " + checksums + " of " + flips);
  }
}
