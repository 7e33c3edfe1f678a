package io.skerry.integration.randomprogram;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.H5File;
import io.skerry.jobs.Skerry;
import io.skerry.testkit.launch.ChildProgram;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills jobs under {@code mpirun} with signal 9. After {@code skerry recover}, each file has the
 * state of exactly one flush, not older than the last acknowledged one. {@code -Dskerry.kill.runs}
 * is the number of jobs, {@code -Dskerry.kill.seed} the first seed.
 */
class KilledRanksTest {
  private static final int RUNS = Integer.getInteger("skerry.kill.runs", 3);
  private static final long SEED = Long.getLong("skerry.kill.seed", 1);
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Pattern BEYOND = Pattern.compile("(\\d+)  bytes: after the allocated end");
  private static final Pattern OUTCOME = Pattern.compile("\"outcome\": \"([a-z]+)\"");

  /** Kept if a run fails. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  private final Map<String, Integer> tally = new TreeMap<>();

  @Test
  void any_ranks_killed_at_any_moment_leave_one_recoverable_flush() throws Exception {
    Optional<MpirunLauncher> launcher = MpirunLauncher.find();
    assumeTrue(launcher.isPresent(), "skipped: no mpirun");
    for (long seed = SEED; seed < SEED + RUNS; seed++) {
      KillPlan plan = KillPlan.of(seed);
      Path own = Files.createDirectory(folder.resolve("run" + seed));
      try {
        run(quick(launcher.get()), plan, own);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "-Dskerry.kill.seed=%d -Dskerry.kill.runs=1 %s files=%s: %s"
                .formatted(seed, plan, own, e.getMessage()),
            e);
      }
      delete(own);
    }
    System.out.println("kills: " + RUNS + " " + tally);
    // Without a kill during a flush, nothing would have been tested.
    int met = count("journals") + count("tails");
    assertTrue(RUNS < 10 || met > 0, () -> "kills that met a flush: " + tally);
    assertTrue(
        RUNS < 200 || (count("journals") > 5 && count("tails") > 5 && count("replayed") > 0),
        () -> "kills that met each part of a flush: " + tally);
  }

  private static MpirunLauncher quick(MpirunLauncher launcher) {
    return launcher.withLimit(Duration.ofMinutes(15));
  }

  private int count(String what) {
    return tally.getOrDefault(what, 0);
  }

  private void note(String what) {
    tally.merge(what, 1, Integer::sum);
  }

  private void run(MpirunLauncher launcher, KillPlan plan, Path own) throws Exception {
    Path file = own.resolve("killed.h5");
    Path journal = own.resolve("killed.h5.journal");
    KilledJob job = KilledJob.run(launcher, plan, KilledWriter.Readers.NONE, file, own);
    note(plan.moment().name());
    note(plan.victims().name());
    assertTrue(
        job.endedAfter().compareTo(LIMIT) < 0,
        () -> "from the kill to the end of the job: " + job.endedAfter());
    keep(own, file, journal);
    if (Files.exists(journal) && Files.size(journal) > 0) {
      note("journals");
    }
    Said recovered = recover(file);
    if (job.acknowledged() < 0 && recovered.code() != 0) {
      checkNothing(file, recovered);
      return;
    }
    assertEquals(0, recovered.code(), recovered.out());
    note(first(OUTCOME, recovered.out()));
    assertTrue(Files.notExists(journal), "the journal stayed");
    checkVerified(file);
    byte[] bytes = Files.readAllBytes(file);
    int flush = RecoveredFile.flushIn(file);
    assertTrue(
        flush == job.acknowledged() || flush == job.acknowledged() + 1,
        "flush in the file: acknowledged=" + job.acknowledged() + " actual=" + flush);
    note(flush == job.acknowledged() ? "last acknowledged" : "one further");
    RecoveredFile content = RecoveredFile.of(plan.seed(), flush, file);
    content.check();
    content.checkByH5py(own);
    assertEquals("nothing", first(OUTCOME, skerry("recover", file.toString(), "--json").out()));
    assertArrayEquals(bytes, Files.readAllBytes(file));
  }

  /** Copies the files before recovery, for the analysis of a failure. */
  private static void keep(Path own, Path... files) throws IOException {
    Path kept = Files.createDirectory(own.resolve("as-killed"));
    for (Path file : files) {
      if (Files.exists(file)) {
        Files.copy(file, kept.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** Checks a job without a complete flush: there is no file, or it is refused as not HDF5. */
  private void checkNothing(Path file, Said recovered) {
    note("before the first flush");
    assertTrue(
        recovered.out().contains(Files.exists(file) ? "not an HDF5 file" : "no such file"),
        recovered.out());
    H5File.create(file).close();
    assertEquals(0, skerry("verify", file.toString()).code());
  }

  private void checkVerified(Path file) {
    Said verified = skerry("verify", file.toString());
    assertEquals(0, verified.code(), verified.out());
    if (BEYOND.matcher(verified.out()).find()) {
      note("tails");
    }
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertTrue(matcher.find(), text);
    return matcher.group(1);
  }

  /** The exit code of a command, and the text of both output streams. */
  private record Said(int code, String out) {}

  /** Runs {@code skerry recover} in a separate process. */
  private static Said recover(Path file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(ChildProgram.of(Skerry.class, "recover", file, "--json").command())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "skerry recover hangs");
    return new Said(process.exitValue(), out);
  }

  private static Said skerry(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = Skerry.run(Map.of(), new PrintStream(out, true, UTF_8), arguments);
    return new Said(code, out.toString(UTF_8));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
