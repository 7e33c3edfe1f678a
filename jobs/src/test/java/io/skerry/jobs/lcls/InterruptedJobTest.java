package io.skerry.jobs.lcls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.jobs.Skerry;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Tests detector jobs under {@code mpirun} that are stopped or killed, and then resumed. */
class InterruptedJobTest {
  /** The number of frames; a job of one frame per batch does not end before it is stopped. */
  private static final int FRAMES = Boolean.getBoolean("skerry.thorough") ? 120 : 40;

  private static final List<String> JOB =
      List.of("lcls", "--json", "--synthetic", FRAMES + "x96x96", "--batch", "1", "--every", "7");

  /** The folder of all files, kept after a failure. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  private Path out = Path.of("");
  private Path growing = Path.of("");
  private Path log = Path.of("");

  @BeforeEach
  void name_files() {
    out = folder.resolve("job.h5");
    growing = folder.resolve("job.h5.partial/job.h5");
    log = folder.resolve("log");
  }

  @Test
  void a_stopped_job_ends_normally_and_is_resumed_on_more_ranks() throws Exception {
    MpirunLauncher launcher = launcher();
    Process job = started(launcher);
    assertEquals(0, new ProcessBuilder("kill", "-USR1", "" + job.pid()).start().waitFor());
    assertTrue(job.waitFor(60, TimeUnit.SECONDS), "it goes on");
    String said = Files.readString(log);
    assertEquals(0, job.exitValue(), said);
    assertTrue(said.contains("\"interrupted\": true, \"framesDone\": "), said);
    assertTrue(said.contains("the same command with --resume continues"), said);
    assertFalse(Files.exists(out));
    resume(launcher);
  }

  @Test
  void a_killed_job_is_resumed_on_more_ranks() throws Exception {
    MpirunLauncher launcher = launcher();
    Process job = started(launcher);
    long size = Files.size(growing);
    // The first flush is complete when the file grows again.
    while (job.isAlive() && Files.size(growing) == size) {
      Thread.sleep(1);
    }
    List<ProcessHandle> all = Stream.concat(job.descendants(), Stream.of(job.toHandle())).toList();
    assertTrue(all.size() > 2, "it ended before it was killed: " + Files.readString(log));
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : all) {
      process.onExit().get(20, TimeUnit.SECONDS);
    }
    resume(launcher);
  }

  private static MpirunLauncher launcher() {
    Optional<MpirunLauncher> launcher = MpirunLauncher.find();
    assumeTrue(launcher.isPresent(), "skipped: no mpirun");
    return launcher.get().withLimit(Duration.ofMinutes(10));
  }

  private static String[] line(Path out, String... more) {
    return Stream.of(JOB.stream(), Stream.of("--out", out.toString()), Stream.of(more))
        .flatMap(words -> words)
        .toArray(String[]::new);
  }

  /** Starts a job on two ranks, and returns it when the output begins with an HDF5 signature. */
  private Process started(MpirunLauncher launcher) throws IOException, InterruptedException {
    Process job =
        launcher
            .prepared(2, Skerry.class.getName(), line(out))
            .redirectOutput(log.toFile())
            .start();
    job.getOutputStream().close();
    while (!isHdf5(growing)) {
      assertTrue(job.isAlive(), () -> "it ended before anything was stored");
      Thread.sleep(5);
    }
    return job;
  }

  private static boolean isHdf5(Path file) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(4), ISO_8859_1).endsWith("HDF");
    }
  }

  private void resume(MpirunLauncher launcher) throws InterruptedException {
    var resumed = launcher.run(3, Skerry.class.getName(), line(out, "--resume"));
    assertEquals(0, resumed.exitCode(), resumed.output());
    assertTrue(resumed.output().contains("{\"ranks\": 3,"), resumed.output());
    assertTrue(resumed.output().contains("\"resumedFrom\": "), resumed.output());
    Path uncut = folder.resolve("uncut.h5");
    assertTrue(skerry(line(uncut)).endsWith("\"verified\": true}\n"));
    assertEquals(skerry("digest", uncut.toString()), skerry("digest", out.toString()));
  }

  private static String skerry(String... arguments) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    assertEquals(0, Skerry.run(Map.of(), new PrintStream(said, true, UTF_8), arguments));
    return said.toString(UTF_8);
  }
}
