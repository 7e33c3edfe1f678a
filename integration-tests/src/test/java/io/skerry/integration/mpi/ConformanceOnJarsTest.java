package io.skerry.integration.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.integration.matrix.MatrixCases;
import io.skerry.integration.randomprogram.RandomProgramCases;
import io.skerry.mpi.Mpi;
import io.skerry.mpi.internal.launch.ProgramArguments;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.mpi.CommunicatorConformance;
import io.skerry.testkit.mpi.FileOpeningConformance;
import io.skerry.testkit.mpi.LargeTransferConformance;
import io.skerry.testkit.mpi.MessageConformance;
import io.skerry.testkit.mpi.MpiFileConformance;
import io.skerry.testkit.mpi.ReadTargetConformance;
import io.skerry.testkit.mpi.ReductionConformance;
import io.skerry.testkit.mpi.ThreadConformance;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.RankedSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the MPI conformance suites and a sample of the parallel cases on the jar back ends. */
class ConformanceOnJarsTest {
  private static final Duration LIMIT = Duration.ofSeconds(580);

  /** The number of random programs on each back end; {@code -Pslow} increases it. */
  private static final int PROGRAMS = Integer.getInteger("skerry.mpi.programs", 1);

  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");
  private static final String SUITE = RankedSuite.class.getName();

  private static final List<RankedCases> SUITES =
      List.of(
          new CommunicatorConformance(),
          new ReductionConformance(),
          new MessageConformance(),
          new MpiFileConformance(),
          new FileOpeningConformance(),
          new ReadTargetConformance(),
          new ThreadConformance());

  @TempDir Path folder;

  static List<Arguments> conformanceRanks() {
    return THOROUGH
        ? combined(List.of(1, 2, 4), List.of(1, 2, 4))
        : combined(List.of(4), List.of(3));
  }

  static List<Arguments> sampleRanks() {
    return THOROUGH ? combined(List.of(2, 4), List.of(2, 4)) : combined(List.of(4), List.of(2));
  }

  private static List<Arguments> combined(List<Integer> openMpi, List<Integer> multicore) {
    List<Arguments> all = new ArrayList<>();
    openMpi.forEach(ranks -> all.add(Arguments.of(JarBackEnd.OPEN_MPI_JAVA, ranks)));
    multicore.forEach(ranks -> all.add(Arguments.of(JarBackEnd.MPJ_MULTICORE, ranks)));
    if (THOROUGH) {
      all.add(Arguments.of(JarBackEnd.MPJ_NIODEV, 2));
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("conformanceRanks")
  void every_case_passes(JarBackEnd backEnd, int ranks) throws Exception {
    int cases = SUITES.stream().mapToInt(suite -> suite.cases().size()).sum();
    var suites = SUITES.stream().map(suite -> suite.getClass().getName()).toArray(String[]::new);
    var outcome = backEnd.run(ranks, LIMIT, List.of(), SUITE, suites);
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
    System.out.printf("%s: %d cases passed on %d ranks%n", backEnd, cases, ranks);
  }

  @ParameterizedTest
  @MethodSource("sampleRanks")
  void a_sample_of_the_parallel_cases_passes(JarBackEnd backEnd, int ranks) throws Exception {
    int step = THOROUGH ? 12 : 24;
    int cases = MatrixCases.pairwiseOfProcesses(ranks, step).size();
    var options =
        List.of(
            "-Dskerry.matrix.ranks=" + ranks,
            "-Dskerry.matrix.step=" + step,
            "-Dskerry.matrix.folder=" + folder,
            "-Dskerry.trial.rounds=" + PROGRAMS,
            "-Dskerry.case.seconds=500");
    var outcome =
        backEnd.run(
            ranks,
            LIMIT,
            options,
            SUITE,
            MatrixCases.class.getName(),
            RandomProgramCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains((cases + 1) + " passed, 0 failed"), outcome.output());
    assertTrue(cases >= 4, "so few: " + cases);
    System.out.printf("%s: %d parallel cases passed on %d ranks%n", backEnd, cases + 1, ranks);
  }

  @ParameterizedTest
  @EnumSource(JarBackEnd.class)
  @EnabledIfSystemProperty(named = "skerry.large", matches = "true")
  void transfers_beyond_2_gib_pass(JarBackEnd backEnd) throws Exception {
    var outcome =
        backEnd.run(
            2,
            Duration.ofMinutes(15),
            List.of("-Dskerry.case.seconds=400"),
            SUITE,
            LargeTransferConformance.class.getName());
    assertTrue(outcome.output().contains(" passed, 0 failed"), outcome.output());
  }

  @ParameterizedTest
  @MethodSource("io.skerry.integration.mpi.JarBackEnd#sample")
  void the_back_end_is_reported_and_the_program_gets_its_arguments(JarBackEnd backEnd)
      throws Exception {
    var outcome = backEnd.run(2, LIMIT, List.of(), Telling.class.getName(), "one", "two words");
    for (int rank = 0; rank < 2; rank++) {
      var told = "rank %d of 2: %s [one, two words]".formatted(rank, backEnd.title());
      assertTrue(outcome.output().contains(told), outcome.output());
    }
  }

  @ParameterizedTest
  @MethodSource("io.skerry.integration.mpi.JarBackEnd#sample")
  void a_case_that_hangs_ends_the_job_and_is_named(JarBackEnd backEnd) throws Exception {
    var outcome =
        backEnd.run(
            2,
            LIMIT,
            List.of("-Dskerry.case.seconds=3"),
            SUITE,
            ConformanceUnderMpirunTest.Hanging.class.getName());
    assertTrue(outcome.output().contains("is still in Hanging.one_waits"), outcome.output());
    assertTrue(outcome.output().contains("io.skerry.mpi."), outcome.output());
  }

  @ParameterizedTest
  @MethodSource("io.skerry.integration.mpi.JarBackEnd#sample")
  void an_uncaught_throwable_ends_the_job_soon(JarBackEnd backEnd) throws Exception {
    var outcome = backEnd.run(3, LIMIT, List.of(), Dying.class.getName());
    assertTrue(outcome.elapsed().toSeconds() < 60, outcome.output());
    var first = "rank 1 of 3 failed: java.lang.IllegalStateException: disk on fire";
    assertTrue(outcome.output().contains(first), outcome.output());
  }

  @ParameterizedTest
  @EnumSource(JarBackEnd.class)
  void a_killed_rank_ends_the_other_ranks(JarBackEnd backEnd) throws Exception {
    var outcome = backEnd.run(3, Duration.ofMinutes(1), List.of(), Killed.class.getName());
    assertTrue(outcome.elapsed().toSeconds() < 40, outcome.output());
    assertFalse(outcome.output().contains("all have met"), outcome.output());
    if (backEnd == JarBackEnd.MPJ_NIODEV) {
      assertTrue(outcome.output().contains("skerry: a rank was lost: lost=1 rank=0"));
      assertTrue(outcome.output().contains("skerry: a rank was lost: lost=0 rank=2"));
    }
  }

  @Test
  void a_jar_without_mpi_bindings_is_refused_in_one_line() throws Exception {
    var jar = folder.resolve("other.jar");
    try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("org/example/Thing.class"));
    }
    assertRefused(jar, "not the jar of an MPI: path=" + jar, "found=no class mpi.Comm");
    assertRefused(folder.resolve("none.jar"), "no such jar", "make-openmpi-jar");
    Files.writeString(folder.resolve("text.jar"), "not a jar at all");
    assertRefused(folder.resolve("text.jar"), "not a jar", "expected=Open MPI's mpi.jar");
  }

  @Test
  void mpj_express_under_mpirun_is_refused_in_one_line() throws Exception {
    var jar = Path.of("/usr/share/mpj/lib/mpj.jar");
    assumeTrue(Files.isReadable(jar), "no MPJ Express: apt-get install libmpj-java");
    assertRefused(jar, "MPJ Express needs what its launcher tells", "start the job with mpjrun");
  }

  @Test
  void another_back_end_under_mpjrun_is_refused_in_one_line() throws Exception {
    var outcome =
        JarBackEnd.MPJ_MULTICORE.run(
            1, LIMIT, List.of("-Dskerry.mpi=libmpi.so.40"), Dying.class.getName());
    assertLine(outcome.output(), "two back ends at once", "SKERRY_MPI=libmpi.so.40");
  }

  private static void assertRefused(Path jar, String what, String remedy)
      throws InterruptedException, IOException {
    var mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    var outcome =
        mpirun.get().withEnvironment("SKERRY_MPI", jar.toString()).run(1, Dying.class.getName());
    assertEquals(2, outcome.exitCode(), outcome.output());
    assertLine(outcome.output(), what, remedy);
  }

  private static void assertLine(String output, String what, String remedy) {
    var lines = output.lines().filter(line -> line.contains(what)).toList();
    assertEquals(1, lines.size(), output);
    assertTrue(lines.getFirst().contains(remedy), output);
    assertTrue(output.lines().noneMatch(line -> line.strip().startsWith("at ")), output);
  }

  /** Prints the back end and its arguments on each rank. */
  public static final class Telling {
    private Telling() {}

    /** Runs on every rank. */
    public static void main(String[] arguments) {
      try (var mpi = Mpi.start(arguments)) {
        var installation = mpi.installation();
        System.out.println(
            "rank %d of %d: %s %s%n%s"
                .formatted(
                    mpi.world().rank(),
                    mpi.world().size(),
                    installation.backEnd(),
                    mpi.arguments(),
                    installation));
        System.out.flush();
      }
      ProgramArguments.of(arguments).exit(0);
    }
  }

  /** Ends the process of rank 1, as a kill does, while the other ranks wait. */
  public static final class Killed {
    private Killed() {}

    /** Runs on every rank. */
    public static void main(String[] arguments) {
      ProgramArguments.of(arguments)
          .exit(
              Mpi.run(
                  arguments,
                  world -> {
                    world.barrier();
                    if (world.rank() == 1) {
                      Runtime.getRuntime().halt(137);
                    }
                    world.barrier();
                    System.out.println("all have met");
                    return 0;
                  }));
    }
  }

  /** Throws on rank 1 while the other ranks wait. */
  public static final class Dying {
    private Dying() {}

    /** Runs on every rank. */
    public static void main(String[] arguments) {
      ProgramArguments.of(arguments)
          .exit(
              Mpi.run(
                  arguments,
                  world -> {
                    if (world.rank() == 1) {
                      throw new IllegalStateException("disk on fire");
                    }
                    world.barrier();
                    return 0;
                  }));
    }
  }
}
