package io.skerry.integration.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.integration.matrix.MatrixCases;
import io.skerry.integration.randomprogram.RandomProgramCases;
import io.skerry.jobs.Skerry;
import io.skerry.testkit.ranked.RankedSuite;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs a sample of the collective suites on each MPI library. Other tests run the complete suites
 * on Open MPI's own collective I/O.
 */
class CollectiveSuitesOnEveryMpiTest {
  /** The number of random programs on each library; {@code -Pslow} increases it. */
  private static final int ROUNDS = Integer.getInteger("skerry.mpi.programs", 1);

  /** One of this many matrix cases runs; with {@code -Pslow}, all of them. */
  private static final int STEP = Integer.getInteger("skerry.mpi.step", 24);

  private static final int RANKS = 2;
  private static final String SKERRY = Skerry.class.getName();
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir Path folder;

  /** Returns a library for each implementation of collective I/O other than OMPIO. */
  static List<InstalledMpi> otherImplementations() {
    return Stream.of(InstalledMpi.ROMIO, InstalledMpi.MPICH, InstalledMpi.OMPIO_5)
        .filter(InstalledMpi.tested()::contains)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("otherImplementations")
  void the_pairwise_matrix_passes(InstalledMpi mpi) throws Exception {
    int cases = MatrixCases.pairwiseOfProcesses(RANKS, STEP).size();
    var outcome =
        mpi.require()
            .withLimit(Duration.ofMinutes(5))
            .withJvmOption("-Dskerry.matrix.ranks=" + RANKS)
            .withJvmOption("-Dskerry.matrix.step=" + STEP)
            .withJvmOption("-Dskerry.matrix.folder=" + folder)
            .run(RANKS, RankedSuite.class.getName(), MatrixCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
    System.out.printf("matrix on %s: %d cases on %d ranks%n", mpi, cases, RANKS);
  }

  @Test
  void random_programs_leave_the_same_content_on_each_mpi() throws Exception {
    List<String> expected = List.of();
    for (var mpi : InstalledMpi.tested()) {
      var launcher = mpi.launcher();
      if (launcher.isEmpty()) {
        System.out.printf("no random programs on %s: it is not installed%n", mpi);
        continue;
      }
      var outcome =
          launcher
              .get()
              .withLimit(Duration.ofSeconds(580))
              .withJvmOption("-Dskerry.trial.rounds=" + ROUNDS)
              .withJvmOption("-Dskerry.case.seconds=560")
              .run(RANKS, RankedSuite.class.getName(), RandomProgramCases.class.getName());
      assertEquals(0, outcome.exitCode(), outcome.output());
      var digests = outcome.output().lines().filter(line -> line.startsWith("digest ")).toList();
      assertEquals(ROUNDS, digests.size(), outcome.output());
      expected = expected.isEmpty() ? digests : expected;
      assertEquals(expected, digests, mpi.toString());
    }
    assumeFalse(expected.isEmpty(), "no MPI library is installed");
  }

  /** Returns the libraries on which no other test runs the detector job. */
  static List<InstalledMpi> otherSamples() {
    return InstalledMpi.sample().stream().filter(mpi -> mpi != InstalledMpi.OMPIO).toList();
  }

  @ParameterizedTest
  @MethodSource("otherSamples")
  void the_detector_job_leaves_the_same_content_as_on_threads(InstalledMpi mpi) throws Exception {
    var file = folder.resolve("out.h5").toString();
    var outcome = mpi.require().run(RANKS, SKERRY, written(file));
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertEquals(digestOnThreads(), digest(file));
  }

  @ParameterizedTest
  @MethodSource("io.skerry.integration.mpi.JarBackEnd#sample")
  void the_detector_job_leaves_the_same_content_as_on_threads(JarBackEnd backEnd) throws Exception {
    var file = folder.resolve("out.h5").toString();
    // The launcher of MPJ Express always exits with 0, so only the file is checked.
    var outcome = backEnd.run(RANKS, LIMIT, List.of(), SKERRY, written(file));
    assertTrue(Files.exists(Path.of(file)), outcome.output());
    assertEquals(digestOnThreads(), digest(file));
  }

  private String digestOnThreads() {
    var file = folder.resolve("threads.h5").toString();
    run(List.of("--ranks", "2", "--mpi", "threads"), List.of(written(file)));
    var digest = digest(file);
    assertTrue(digest.contains("/entry/events"), digest);
    return digest;
  }

  private static String[] written(String file) {
    var job = "lcls --synthetic 24x200x300 --every 5 --batch 3 --no-progress --out";
    return Stream.concat(Stream.of(job.split(" ")), Stream.of(file)).toArray(String[]::new);
  }

  @ParameterizedTest
  @MethodSource("io.skerry.integration.mpi.InstalledMpi#sample")
  void the_mpi_command_reports_the_mpi_library(InstalledMpi mpi) throws Exception {
    var outcome = mpi.require().run(RANKS, SKERRY, "mpi");
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTold(mpi.toString(), outcome.output(), "ffm", mpi.version());
  }

  @ParameterizedTest
  @MethodSource("io.skerry.integration.mpi.JarBackEnd#sample")
  void the_mpi_command_reports_the_jar(JarBackEnd backEnd) throws Exception {
    var outcome = backEnd.run(RANKS, LIMIT, List.of(), SKERRY, "mpi");
    var version = backEnd == JarBackEnd.OPEN_MPI_JAVA ? "Open MPI v" : "MPJ Express";
    assertTold(backEnd.toString(), outcome.output(), backEnd.title(), version);
  }

  private static void assertTold(String mpi, String output, String backEnd, String version) {
    var told =
        output.lines().collect(Collectors.toMap(line -> line.split(" ")[0], l -> l, (a, b) -> a));
    assertTrue(told.getOrDefault("backEnd", "").endsWith(" " + backEnd), output);
    assertTrue(told.getOrDefault("version", "").contains(version), output);
    assertTrue(told.getOrDefault("ranks", "").endsWith(" " + RANKS), output);
    System.out.printf("skerry mpi on %s:%n%s", mpi, output);
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
