package io.skerry.integration.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.Mpi;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.mpi.CommunicatorConformance;
import io.skerry.testkit.mpi.FileOpeningConformance;
import io.skerry.testkit.mpi.LargeTransferConformance;
import io.skerry.testkit.mpi.MessageConformance;
import io.skerry.testkit.mpi.MpiFileConformance;
import io.skerry.testkit.mpi.ReadTargetConformance;
import io.skerry.testkit.mpi.ReductionConformance;
import io.skerry.testkit.mpi.ThreadConformance;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.RankedSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the MPI conformance suites on the installed MPI libraries; each rank is a process. */
class ConformanceUnderMpirunTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  private static final List<RankedCases> SUITES =
      List.of(
          new CommunicatorConformance(),
          new ReductionConformance(),
          new MessageConformance(),
          new MpiFileConformance(),
          new FileOpeningConformance(),
          new ReadTargetConformance(),
          new ThreadConformance());

  /** The suites that use files. */
  private static final List<RankedCases> FILE_SUITES =
      List.of(new MpiFileConformance(), new FileOpeningConformance(), new ReadTargetConformance());

  private static final String WITHOUT_FILES =
      """
      #include <stdlib.h>
      #include <string.h>
      int MPI_Init(int *argc, char ***argv) { abort(); }
      int MPI_Get_library_version(char *text, int *length) {
        strcpy(text, "MPICH Version: 4.2, without files");
        *length = strlen(text);
        return 0;
      }
      """;

  @BeforeEach
  void needs_mpirun() {
    assumeTrue(MpirunLauncher.find().isPresent(), "no mpirun on the path");
  }

  private static MpirunLauncher launcher() {
    return MpirunLauncher.find().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("io.skerry.integration.mpi.InstalledMpi#tested")
  void every_case_passes_on_every_mpi_library(InstalledMpi mpi) throws Exception {
    // ROMIO differs from OMPIO, which is a part of the same library, in the access to files only.
    List<RankedCases> suites =
        mpi == InstalledMpi.ROMIO && !InstalledMpi.isEachTested() ? FILE_SUITES : SUITES;
    int cases = suites.stream().mapToInt(suite -> suite.cases().size()).sum();
    boolean all = mpi == InstalledMpi.OMPIO || InstalledMpi.isEachTested();
    int[] most = THOROUGH ? new int[] {1, 2, 4} : new int[] {1, 4};
    for (int ranks : all ? most : new int[] {2}) {
      var outcome =
          mpi.require()
              .withLimit(Duration.ofMinutes(4))
              .run(
                  ranks,
                  RankedSuite.class.getName(),
                  suites.stream().map(suite -> suite.getClass().getName()).toArray(String[]::new));
      assertEquals(0, outcome.exitCode(), outcome.output());
      assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
      System.out.printf("conformance on %s, %d ranks: %d cases%n", mpi, ranks, cases);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "skerry.large", matches = "true")
  void transfers_beyond_2_gib_pass_on_the_mpi_library() throws Exception {
    var outcome =
        launcher()
            .withLimit(Duration.ofMinutes(10))
            .withJvmOption("-Dskerry.case.seconds=300")
            .run(2, RankedSuite.class.getName(), LargeTransferConformance.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
  }

  @Test
  void a_case_that_fails_on_one_rank_is_reported_and_the_next_one_runs() throws Exception {
    var outcome = launcher().run(2, RankedSuite.class.getName(), Failing.class.getName());
    assertEquals(1, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("FAILED Failing.rank_1_fails on ranks [1]"));
    assertTrue(outcome.output().contains("rank 1 failed in Failing.rank_1_fails"));
    assertTrue(outcome.output().contains("ok Failing.all_is_well"), outcome.output());
    assertTrue(outcome.output().contains("1 passed, 1 failed"), outcome.output());
  }

  @Test
  void a_case_that_hangs_ends_the_job_and_is_named() throws Exception {
    var outcome =
        launcher()
            .withJvmOption("-Dskerry.case.seconds=3")
            .run(2, RankedSuite.class.getName(), Hanging.class.getName());
    assertNotEquals(0, outcome.exitCode());
    assertTrue(outcome.elapsed().toSeconds() < 30, outcome.output());
    assertTrue(outcome.output().contains("is still in Hanging.one_waits"), outcome.output());
    assertTrue(outcome.output().contains("MPI") || outcome.output().contains("barrier"));
  }

  @Test
  void an_uncaught_throwable_ends_the_job_soon() throws Exception {
    var outcome = launcher().run(3, Dying.class.getName());
    assertEquals(1, outcome.exitCode(), outcome.output());
    assertTrue(outcome.elapsed().toSeconds() < 20, outcome.output());
    var first = "rank 1 of 3 failed: java.lang.IllegalStateException: disk on fire";
    assertTrue(outcome.output().contains(first), outcome.output());
  }

  @Test
  void a_communicator_of_one_rank_aborts_the_whole_job() throws Exception {
    var outcome = launcher().run(3, Aborting.class.getName());
    assertEquals(7, outcome.exitCode(), outcome.output());
  }

  @Test
  void a_missing_library_is_named() throws Exception {
    var outcome =
        launcher()
            .withEnvironment("SKERRY_MPI", "/nowhere/libmpi.so")
            .run(2, Dying.class.getName());
    assertEquals(2, outcome.exitCode(), outcome.output());
    var line = outcome.output().lines().filter(text -> text.startsWith("skerry: ")).toList();
    assertEquals(1, line.size(), outcome.output());
    assertTrue(line.getFirst().startsWith("skerry: no MPI library could be loaded"));
    assertTrue(line.getFirst().contains("/nowhere/libmpi.so"), outcome.output());
    assertTrue(line.getFirst().contains("SKERRY_MPI"), outcome.output());
  }

  @Test
  void a_library_that_is_not_mpi_is_named() throws Exception {
    var outcome =
        launcher().withEnvironment("SKERRY_MPI", "libc.so.6").run(1, Dying.class.getName());
    assertEquals(2, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("not a library of MPI 3 or later"), outcome.output());
  }

  @Test
  void a_library_without_mpi_io_is_named_before_mpi_starts(@TempDir Path folder) throws Exception {
    Path library = compiled(folder);
    var outcome =
        launcher().withEnvironment("SKERRY_MPI", library.toString()).run(1, Dying.class.getName());
    assertEquals(2, outcome.exitCode(), outcome.output());
    String refusal =
        "skerry: an MPI library without MPI-IO: library=" + library + " missing=MPI_File_open";
    assertTrue(outcome.output().contains(refusal), outcome.output());
  }

  /** Compiles a library without MPI-IO that has the functions called before MPI starts. */
  private static Path compiled(Path folder) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("mpi.c"), WITHOUT_FILES);
    Path library = folder.resolve("libmpi.so");
    try {
      Process gcc =
          new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", "" + library, "" + source)
              .inheritIO()
              .start();
      assertEquals(0, gcc.waitFor());
    } catch (IOException e) {
      assumeTrue(false, "gcc is absent: skipped");
    }
    return library;
  }

  @Test
  void a_library_of_another_family_than_the_launchers_is_refused() throws Exception {
    InstalledMpi.MPICH.require();
    var outcome =
        launcher().withEnvironment("SKERRY_MPI", "libmpich.so.12").run(2, Dying.class.getName());
    assertEquals(2, outcome.exitCode(), outcome.output());
    var text =
        "skerry: the MPI library does not belong to the launcher: launcher=Open MPI's mpirun";
    assertEquals(
        1,
        outcome.output().lines().filter(line -> line.startsWith(text)).count(),
        outcome.output());
    assertTrue(outcome.output().contains("ranksSeen=1"), outcome.output());
  }

  /** Fails on rank 1. */
  public static final class Failing implements RankedCases {
    @Override
    public List<RankedCase> cases() {
      return List.of(
          new RankedCase(
              "rank_1_fails",
              world -> {
                world.barrier();
                Expect.that(world.rank() != 1, "this is rank 1");
              }),
          new RankedCase("all_is_well", Communicator::barrier));
    }
  }

  /** Waits on rank 0 for a message that no rank sends. */
  public static final class Hanging implements RankedCases {
    @Override
    public List<RankedCase> cases() {
      return List.of(
          new RankedCase(
              "one_waits",
              world -> {
                if (world.rank() == 0) {
                  world.barrier();
                }
              }));
    }
  }

  /** Throws on rank 1 while the other ranks wait. */
  public static final class Dying {
    private Dying() {}

    /** Runs on every rank. */
    public static void main(String[] arguments) {
      System.exit(
          Mpi.run(world -> {
            if (world.rank() == 1) {
              throw new IllegalStateException("disk on fire");
            }
            world.barrier();
            return 0;
          }));
    }
  }

  /** Aborts on a communicator with rank 1 alone, while the other ranks wait. */
  public static final class Aborting {
    private Aborting() {}

    /** Runs on every rank. */
    public static void main(String[] arguments) {
      System.exit(
          Mpi.run(world -> {
            try (Communicator alone = world.split(world.rank(), 0)) {
              if (world.rank() == 1) {
                alone.abort(7);
              }
            }
            world.barrier();
            return 0;
          }));
    }
  }
}
