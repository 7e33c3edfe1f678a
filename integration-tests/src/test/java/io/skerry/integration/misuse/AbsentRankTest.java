package io.skerry.integration.misuse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.H5File;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.selection.Selection;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the other ranks report the position of each rank if one misses a collective call. */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AbsentRankTest {
  private static final int RANKS = 3;
  private static final String PATIENCE = "skerry.patience";

  @TempDir Path folder;

  @AfterEach
  void clear_patience_property() {
    System.clearProperty(PATIENCE);
  }

  private Path file() {
    return folder.resolve("m.h5");
  }

  private MpirunLauncher.Outcome underMpirun(AbsentRank.Absence absence) throws Exception {
    assumeTrue(MpirunLauncher.find().isPresent(), "no mpirun on the path");
    return MpirunLauncher.find()
        .orElseThrow()
        .withLimit(Duration.ofSeconds(50))
        .withJvmOption("-D" + PATIENCE + "=2")
        .run(RANKS, AbsentRank.class.getName(), absence.name(), file().toString());
  }

  // Opens a copy, since a rank that ran as a thread may have left the file open.
  private void requireLastFlush() throws IOException {
    Path copy = Files.copy(file(), folder.resolve("copy.h5"));
    try (H5File file = H5File.open(copy)) {
      assertArrayEquals(
          new int[] {1, 2, 3}, file.dataset("/kept").readInts(Selection.at(0).extent(3)));
    }
  }

  @Test
  void a_job_whose_rank_sleeps_ends_with_the_position_of_each_rank() throws Exception {
    var outcome = underMpirun(AbsentRank.Absence.SLEEPS);
    assertNotEquals(0, outcome.exitCode(), outcome.output());
    for (String part :
        List.of(
            "the job is ended",
            "rank 0 is in WRITE /kept of " + file(),
            "rank 1 is in no collective call, or has left",
            "rank 2 is in WRITE /kept of " + file())) {
      assertTrue(outcome.output().contains(part), outcome.output());
    }
    requireLastFlush();
  }

  @Test
  void a_rank_that_leaves_by_an_exception_is_named_on_all_others() throws Exception {
    var outcome = underMpirun(AbsentRank.Absence.LEAVES);
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("rank 1 ends: a mistake outside of Skerry"));
    for (int rank : new int[] {0, 2}) {
      assertTrue(
          outcome
              .output()
              .contains("rank " + rank + " ends: ranks are in different collective operations"),
          outcome.output());
    }
    assertTrue(outcome.output().contains("rank 1 has left"), outcome.output());
    requireLastFlush();
  }

  @Test
  void threads_whose_rank_sleeps_get_the_position_of_each_rank() throws IOException {
    System.setProperty(PATIENCE, "2");
    MpiException failure =
        assertThrows(
            MpiException.class,
            () ->
                LocalRanks.run(
                    RANKS, world -> AbsentRank.run(world, AbsentRank.Absence.SLEEPS, file())));
    assertEquals(MpiErrorClass.TIMEOUT, failure.errorClass());
    assertTrue(
        failure.getMessage().contains("rank 1 is in no collective call")
            && failure.getMessage().contains("is in WRITE /kept of " + file()),
        failure.getMessage());
    requireLastFlush();
  }

  @Test
  void threads_whose_rank_leaves_by_an_exception_end() throws IOException {
    RuntimeException failure =
        assertThrows(
            RuntimeException.class,
            () ->
                LocalRanks.run(
                    RANKS, world -> AbsentRank.run(world, AbsentRank.Absence.LEAVES, file())));
    assertTrue(failure.getMessage().contains("a mistake outside of Skerry"), failure.getMessage());
    requireLastFlush();
  }
}
