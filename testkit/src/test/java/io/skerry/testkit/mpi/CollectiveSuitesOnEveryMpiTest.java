package io.skerry.testkit.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.Skerry;
import io.skerry.testkit.matrix.MatrixCases;
import io.skerry.testkit.trial.TrialCases;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The collective suites on each MPI library, in a smaller cut: all of them run on Open MPI's own
 * collective I/O elsewhere.
 */
class CollectiveSuitesOnEveryMpiTest {
  private static final int ROUNDS = 12;
  private static final int RANKS = 2;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"ROMIO", "MPICH"})
  void the_pairwise_matrix_holds(InstalledMpi mpi) throws Exception {
    int cases = MatrixCases.ofProcesses(RANKS).size();
    var outcome =
        mpi.require()
            .withLimit(Duration.ofSeconds(300))
            .withJvmOption("-XX:TieredStopAtLevel=1")
            .withJvmOption("-Dskerry.matrix.ranks=" + RANKS)
            .withJvmOption("-Dskerry.matrix.folder=" + folder)
            .run(RANKS, RankedSuite.class.getName(), MatrixCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
    System.out.printf("matrix on %s: %d cases on %d ranks%n", mpi, cases, RANKS);
  }

  @Test
  void random_programs_leave_the_same_on_each() throws Exception {
    List<String> expected = List.of();
    for (var mpi : InstalledMpi.values()) {
      var outcome =
          mpi.require()
              .withLimit(Duration.ofSeconds(580))
              .withJvmOption("-Dskerry.trial.rounds=" + ROUNDS)
              .withJvmOption("-Dskerry.case.seconds=560")
              .run(RANKS, RankedSuite.class.getName(), TrialCases.class.getName());
      assertEquals(0, outcome.exitCode(), outcome.output());
      var digests = outcome.output().lines().filter(line -> line.startsWith("digest ")).toList();
      assertEquals(ROUNDS, digests.size(), outcome.output());
      expected = expected.isEmpty() ? digests : expected;
      assertEquals(expected, digests, mpi.toString());
    }
  }

  @Test
  void the_detector_job_leaves_the_same_on_each_and_on_threads() throws Exception {
    var job = List.of("lcls", "--synthetic", "24x200x300", "--every", "5", "--batch", "3");
    var threads = folder.resolve("threads.h5").toString();
    run(List.of("--ranks", "2", "--mpi", "threads", "--no-progress", "--out", threads), job);
    var expected = digest(threads);
    assertTrue(expected.contains("/entry/events"), expected);
    for (var mpi : InstalledMpi.values()) {
      var file = folder.resolve(mpi + ".h5").toString();
      var arguments = new ArrayList<>(job);
      arguments.addAll(List.of("--no-progress", "--out", file));
      var outcome =
          mpi.require().run(RANKS, Skerry.class.getName(), arguments.toArray(String[]::new));
      assertEquals(0, outcome.exitCode(), outcome.output());
      assertEquals(expected, digest(file), mpi.toString());
    }
  }

  private static String digest(String file) {
    return run(List.of(file), List.of("digest"));
  }

  private static String run(List<String> options, List<String> command) {
    var bytes = new ByteArrayOutputStream();
    var arguments = new ArrayList<>(command);
    arguments.addAll(options);
    int code =
        Skerry.run(Map.of(), new PrintStream(bytes, true, UTF_8), arguments.toArray(String[]::new));
    assertEquals(0, code, arguments.toString());
    return bytes.toString(UTF_8);
  }
}
