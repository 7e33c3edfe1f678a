package io.skerry.testkit.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.chunk.space.Selection;
import io.skerry.testkit.mpi.MpirunLauncher;
import io.skerry.testkit.mpi.RankedSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MpirunTrialTest {
  private static final int ROUNDS = Integer.getInteger("skerry.trial.rounds", 67);

  @TempDir Path folder;

  private static MpirunLauncher mpirun() {
    Optional<MpirunLauncher> found = MpirunLauncher.find();
    assumeTrue(found.isPresent(), "no mpirun here");
    return found.get().withLimit(Duration.ofSeconds(580));
  }

  private static List<String> digests(int ranks) throws InterruptedException {
    MpirunLauncher.Outcome outcome =
        mpirun()
            .withJvmOption("-Dskerry.trial.rounds=" + ROUNDS)
            .withJvmOption("-Dskerry.case.seconds=560")
            .run(ranks, RankedSuite.class.getName(), TrialCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    return outcome.output().lines().filter(line -> line.startsWith("digest ")).toList();
  }

  @Test
  void random_programs_under_mpirun_leave_the_same_with_1_2_and_4_ranks() throws Exception {
    List<String> alone = digests(1);
    assertEquals(ROUNDS, alone.size());
    for (int ranks : new int[] {2, 4}) {
      assertEquals(alone, digests(ranks), "ranks=" + ranks);
    }
  }

  @Test
  void a_rank_killed_in_the_middle_ends_the_job_and_leaves_the_state_of_one_flush()
      throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    for (int round = 0; round < 3; round++) {
      Path pids = Files.createDirectory(folder.resolve("pids" + round));
      Path path = folder.resolve("killed" + round + ".h5");
      MpirunLauncher launcher = mpirun();
      CompletableFuture<MpirunLauncher.Outcome> job =
          CompletableFuture.supplyAsync(() -> {
            try {
              return launcher.run(
                  4, EndlessWriter.class.getName(), path.toString(), pids.toString());
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
      await(pids);
      Thread.sleep(random.nextInt(1500));
      int victim = random.nextInt(4);
      long pid = Long.parseLong(Files.readString(pids.resolve("pid-" + victim)));
      assertEquals(
          0, new ProcessBuilder("kill", "-9", Long.toString(pid)).start().waitFor(), "kill");
      long killed = System.nanoTime();
      MpirunLauncher.Outcome outcome = job.get(30, TimeUnit.SECONDS);
      // The launcher does not wait for the ranks that it told to stop, and nobody may open the file
      // while one of them lives.
      for (int rank = 0; rank < 4; rank++) {
        awaitEnd(Long.parseLong(Files.readString(pids.resolve("pid-" + rank))));
      }
      double seconds = (System.nanoTime() - killed) / 1e9;
      assertTrue(seconds < 10, "seconds from the kill to the end of the job: " + seconds);
      assertNotEquals(0, outcome.exitCode(), outcome.output());
      long acknowledged =
          outcome
              .output()
              .lines()
              .filter(line -> line.startsWith("flushed "))
              .mapToLong(line -> Long.parseLong(line.substring(8)))
              .max()
              .orElse(0);
      System.out.printf(
          "killed rank %d after flush %d: exit %d after %.1f s%n",
          victim, acknowledged, outcome.exitCode(), seconds);
      assertTrue(acknowledged > 0, outcome.output());
      check(path, acknowledged);
    }
  }

  private static void await(Path pids) throws Exception {
    for (int i = 0; i < 600; i++) {
      if (Files.exists(pids.resolve("flushed"))) {
        return;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("nothing was ever flushed");
  }

  private static void awaitEnd(long pid) throws Exception {
    Optional<ProcessHandle> process = ProcessHandle.of(pid);
    if (process.isPresent()) {
      process.get().onExit().get(30, TimeUnit.SECONDS);
    }
  }

  /** Both datasets hold exactly the turns of one flush, the last acknowledged or the one after. */
  private static void check(Path path, long acknowledged) {
    try (H5File file = H5File.open(path)) {
      int turn = file.dataset(EndlessWriter.DENSE).readInts(Selection.at(0, 0))[0];
      assertTrue(
          turn == acknowledged || turn == acknowledged + 1,
          "flush in the file: expected=" + acknowledged + " or one more, actual=" + turn);
      for (String name : List.of(EndlessWriter.DENSE, EndlessWriter.SPARSE)) {
        Dataset dataset = file.dataset(name);
        assertEquals(4L * turn, dataset.shape().extent(0), name);
        int[] values = dataset.readInts(Selection.all());
        assertEquals(turn, values[0], name);
        for (int i = 1; i < values.length; i++) {
          assertEquals(i / EndlessWriter.COLUMNS / 4 + 1, values[i], name + " element " + i);
        }
        assertEquals(values.length, dataset.defined(Selection.all()).count(dataset.shape()), name);
      }
    }
  }
}
