package io.skerry.integration.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.integration.matrix.pattern.CollectiveStep;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.ranked.RankedSuite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Runs the matrix cases on threads, and those of one number of processes in one {@code mpirun}. */
class MatrixTest {
  /** The number of files that another library reads at once. */
  private static final int BATCH = 600;

  /** The least number of cases over all numbers of ranks, to detect a faulty choice of cases. */
  private static final int LEAST = 450;

  /**
   * One of this many cases runs under {@code mpirun}; with {@code -Pslow}, each of them. Threads
   * run all cases.
   */
  private static final int STEP = Boolean.getBoolean("skerry.thorough") ? 1 : 12;

  private static final List<Oracle> H5PY = Oracle.h5py();

  @TempDir Path folder;

  @Test
  void every_case_holds_on_ranks_as_threads() {
    List<MatrixRun> runs = MatrixCases.chosen(MatrixCases.THREADS);
    KeptFiles kept = new KeptFiles(folder);
    List<String> failures = new ArrayList<>();
    int passed = 0;
    int read = 0;
    for (MatrixRun run : runs) {
      try {
        play(kept, run);
        passed++;
      } catch (AssertionError | RuntimeException e) {
        failures.add(run.label() + ": " + e);
      }
      if (passed % BATCH == 0) {
        read += kept.check(H5PY);
      }
    }
    read += kept.check(H5PY);
    System.out.printf(
        "matrix on threads: %d cases, %d passed, %d arrays read by %s%n",
        runs.size(), passed, H5PY.isEmpty() ? 0 : read, H5PY);
    assertEquals(List.of(), failures.stream().limit(20).toList(), failures.size() + " failed");
    assertEquals(runs.size(), passed);
    assertTrue(passed >= LEAST && read >= LEAST, "cases=" + passed + " arrays=" + read);
  }

  private static void play(KeptFiles kept, MatrixRun run) {
    Path path = kept.file(run.label());
    kept.keep(
        path,
        LocalRanks.call(run.ranks(), world -> new CaseRun(world, run.which(), path).run())
            .getFirst());
  }

  @ParameterizedTest
  @FieldSource("io.skerry.integration.matrix.MatrixCases#PROCESSES")
  void cases_hold_under_mpirun(int ranks) throws Exception {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun here");
    int cases = MatrixCases.ofProcesses(ranks, STEP).size();
    MpirunLauncher.Outcome outcome =
        mpirun
            .get()
            .withLimit(Duration.ofSeconds(300 + cases))
            .withJvmOption("-Dskerry.matrix=" + System.getProperty("skerry.matrix", "pairwise"))
            .withJvmOption("-Dskerry.matrix.ranks=" + ranks)
            .withJvmOption("-Dskerry.matrix.step=" + STEP)
            .withJvmOption("-Dskerry.matrix.folder=" + folder)
            .run(ranks, RankedSuite.class.getName(), MatrixCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
    int read = new KeptFiles(folder).check(H5PY);
    System.out.printf(
        "matrix under mpirun: %d cases on %d ranks, %d arrays read by %s%n",
        cases, ranks, H5PY.isEmpty() ? 0 : read, H5PY);
    int least = LEAST / MatrixCases.PROCESSES.size() * 3 / 4 / STEP;
    assertTrue(cases >= least && read >= least, "cases=" + cases + " arrays=" + read);
  }

  @Test
  void an_unexpected_value_is_detected_by_the_run_and_by_h5py() {
    MatrixCase which =
        new MatrixCase(
            SelectionPattern.SEPARATE_CHUNKS,
            Storing.DEFLATE,
            Direction.WRITE,
            StoringMode.WRITE_BACK,
            DatasetCount.ONE);
    KeptFiles kept = new KeptFiles(folder);
    Path path = kept.file("changed");
    kept.keep(path, new CaseRun(Communicator.self(), which, path).run());
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      Dataset dataset = file.dataset("/deflate0");
      dataset.write(Selection.at(1, 1), new int[] {-1});
      DatasetUnderTest subject =
          new DatasetUnderTest(
              0,
              Storing.DEFLATE,
              SelectionPattern.SEPARATE_CHUNKS,
              SelectionPattern.SEPARATE_CHUNKS.scenario(1));
      for (CollectiveStep round : SelectionPattern.SEPARATE_CHUNKS.scenario(1).rounds()) {
        subject.written((CollectiveStep.Write) round);
      }
      assertThrows(
          AssertionError.class,
          () ->
              subject.compare(
                  file,
                  subject.part(SelectionPattern.SEPARATE_CHUNKS.scenario(1).lastPicks(), 0),
                  "now"));
    }
    assumeTrue(!H5PY.isEmpty(), "no Python with h5py");
    IllegalStateException noticed =
        assertThrows(IllegalStateException.class, () -> kept.check(H5PY));
    assertTrue(noticed.getMessage().contains("other values"), noticed.getMessage());
  }
}
