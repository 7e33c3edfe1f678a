package io.skerry.jobs.lcls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.Shell;
import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.Skerry;
import io.skerry.testkit.launch.ChildProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a separate process that is stopped or killed at any time can be resumed. */
class KilledRunTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  /** The number of frames; the processes are killed long before the last frame. */
  private static final int FRAMES = THOROUGH ? 240 : 100;

  private static final int KILLS = THOROUGH ? 3 : 2;

  private static final String LONG = "--synthetic " + FRAMES + "x128x128 --batch 1 --every 3";

  @TempDir private static Path common;

  /** The output of an uninterrupted run. */
  private static Path uncut = Path.of("");

  @TempDir private Path folder;

  @BeforeAll
  static void run_without_interruption() {
    uncut = common.resolve("uncut.h5");
    assertEquals(0, run(uncut, 1, LONG).code());
  }

  private static String[] line(Path out, int ranks, String options) {
    List<String> line = new ArrayList<>(List.of("lcls", "--json", "--out", out.toString()));
    line.addAll(List.of("--ranks", "" + ranks));
    line.addAll(List.of(options.split(" ")));
    return line.toArray(String[]::new);
  }

  private static Ran run(Path out, int ranks, String options) {
    return InProcess.skerry(line(out, ranks, options));
  }

  /** Starts the command in a separate process, and returns after a batch has been stored. */
  private Process started(Path out, String options) throws Exception {
    Object[] line = line(out, 1, options);
    List<String> command = ChildProgram.of(Skerry.class, line).command();
    Path file = out.resolveSibling(out.getFileName() + ".partial").resolve(out.getFileName());
    long before = framesDone(file);
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("process.out").toFile())
            .redirectError(folder.resolve("process.err").toFile())
            .start();
    process.getOutputStream().close();
    while (process.isAlive() && framesDone(file) <= before) {
      Thread.sleep(10);
    }
    return process;
  }

  /** Returns the number of complete frames, read from a copy because the writer locks the file. */
  private long framesDone(Path file) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    Path copy = Files.copy(file, folder.resolve("copy.h5"), StandardCopyOption.REPLACE_EXISTING);
    try (H5File looked = H5File.open(copy)) {
      return looked
          .dataset(FrameStore.SPOT_COUNTS)
          .attribute(FrameStore.FRAMES_DONE)
          .orElseThrow()
          .longs()[0];
    } catch (RuntimeException e) {
      // The copy was made during a flush, or before the first flush.
      return 0;
    }
  }

  @Test
  void a_run_killed_repeatedly_equals_the_uninterrupted_run() throws Exception {
    for (String options : List.of(LONG, LONG + " --split --force")) {
      Random random = new Random(7);
      Path out = folder.resolve("killed.h5");
      Process process = started(out, options);
      for (int kills = 1; kills <= KILLS; kills++) {
        Thread.sleep(random.nextInt(60));
        process.destroyForcibly();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertEquals(128 + 9, process.exitValue(), "it ended before it was killed");
        if (kills < KILLS) {
          process = started(out, options + " --resume");
        }
      }
      Ran last = run(out, 3, options + " --resume");
      assertTrue(last.out().endsWith("\"verified\": true}\n"), last.toString());
      assertTrue(last.out().contains("\"resumedFrom\": "), last.toString());
      assertEquals(Content.of(uncut), Content.of(out));
      assertEquals("clean", InProcess.good("verify", out).out().lines().toList().getLast());
    }
  }

  @Test
  void a_signal_stops_a_separate_process() throws Exception {
    Path out = folder.resolve("signalled.h5");
    Process process = started(out, LONG);
    Ran kill =
        Shell.run(folder, System.getenv(), List.of("bash", "-c", "kill -USR1 " + process.pid()));
    assertEquals(0, kill.code(), kill.err());
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    String said = Files.readString(folder.resolve("process.err"));
    assertEquals(0, process.exitValue(), said);
    assertTrue(said.startsWith("skerry: stopped on request: framesDone="), said);
    assertTrue(said.contains(" frames=" + FRAMES + "; the same command with --resume"), said);
    String report = Files.readString(folder.resolve("process.out"));
    assertTrue(report.contains("\"interrupted\": true, \"framesDone\": "), report);
    assertEquals(0, run(out, 2, LONG + " --resume").code());
    assertEquals(InProcess.good("digest", uncut).out(), InProcess.good("digest", out).out());
  }
}
