package io.skerry.integration.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests refusals, failures and interruptions of the {@code ./skerry} command with processes as
 * ranks.
 */
class CommandFailuresUnderMpirunTest extends ProcessCommands {
  @Test
  void an_argument_that_all_processes_refuse_is_reported_once() throws Exception {
    try (H5File file = H5File.create(folder.resolve("in.h5"))) {
      file.createDataset("/d", DatasetSpec.of(Datatype.F64, Shape.of(4, 2, 2)))
          .write(Selection.at(3, 1, 0).extent(1, 1, 1), new double[] {Double.NaN});
    }
    String[][] refused = {
      {"convert in.h5:/d o.h5:/d --sparse 1x2x2 --undefined x --ranks 3", "type="},
      {"pca in.h5:/d --ranks 3 --components 1 --out o.h5", "not a finite number"},
      {"mpi --folder nowhere --ranks 3", "cannot write in the folder"}
    };
    for (String[] each : refused) {
      Ran ran = skerry(each[0].split(" "));
      assertEquals(1, ran.code(), ran.out() + ran.err());
      assertEquals(1, ran.err().lines().count(), ran.err());
      assertTrue(ran.err().startsWith("skerry: ") && ran.err().contains(each[1]), ran.err());
      assertEquals(Set.of("in.h5"), files());
    }
  }

  @Test
  void a_process_that_cannot_read_its_frames_ends_the_job_without_output() throws Exception {
    // Damages the chunk of the last frame, which only the last process reads.
    String unused =
        inProcess("lcls --synthetic 6x32x40 --every 1 --no-progress --out ./in.h5".split(" "));
    long chunk;
    try (H5File file = H5File.open(folder.resolve("in.h5"))) {
      chunk = file.dataset("/entry/full").chunks().at(5, 0, 0).orElseThrow().address();
    }
    byte[] bytes = Files.readAllBytes(folder.resolve("in.h5"));
    Arrays.fill(bytes, (int) chunk, (int) chunk + 16, (byte) 0xff);
    Files.write(folder.resolve("in.h5"), bytes);
    String[] line =
        "lcls --input in.h5:/entry/full --ranks 3 --files-per-rank --out p.h5".split(" ");
    Ran ran = skerry(line);
    assertEquals(1, ran.code(), ran.out());
    assertEquals(1, ran.err().lines().count(), ran.err());
    assertTrue(ran.err().startsWith("skerry: ") && ran.err().contains("ranks=[2]"), ran.err());
    assertTrue(ran.err().contains("in.h5"), ran.err());
    assertEquals(Set.of("in.h5"), files());
  }

  @Test
  void three_processes_refuse_a_link_out_of_the_folder_once() throws Exception {
    Path inside = Files.createDirectory(folder.resolve("inside"));
    try (H5File file = H5File.create(folder.resolve("other.h5"))) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(6)).chunked(6))
          .write(Selection.all(), new int[] {1, 2, 3, 4, 5, 6});
    }
    try (H5File file = H5File.create(inside.resolve("main.h5"))) {
      file.createExternalLink("/results", "../other.h5", "/d");
    }
    String[] line = "convert inside/main.h5:/results o.h5:/d --sparse 6 --ranks 3".split(" ");
    Ran refused = skerry(line);
    assertEquals(1, refused.code(), refused.err());
    assertEquals(1, refused.err().lines().count(), refused.err());
    assertTrue(
        refused.err().startsWith("skerry: another file is refused: named=../other.h5 "),
        refused.err());
    assertTrue(refused.err().contains("ranks=[0, 1, 2]"), refused.err());
    assertEquals(Set.of("inside", "other.h5"), files());
    List<String> trusting = new ArrayList<>(List.of(line));
    trusting.add("--trust=all");
    Ran read = skerry(trusting.toArray(String[]::new));
    assertEquals(0, read.code(), read.err());
    assertEquals(Set.of("inside", "o.h5", "other.h5"), files());
  }

  @Test
  void a_failure_on_three_processes_is_reported_once() throws Exception {
    Files.writeString(folder.resolve("text.h5"), "frames, but in words\n".repeat(100));
    String unused =
        inProcess("lcls --synthetic 9x32x40 --every 1 --no-progress --out ./in.h5".split(" "));
    byte[] whole = Files.readAllBytes(folder.resolve("in.h5"));
    Files.write(folder.resolve("half.h5"), Arrays.copyOf(whole, whole.length / 2));
    Set<String> before = files();
    String[][] sample = {
      {"no such file: file=missing.h5", "--input", "missing.h5:/x"},
      {"truncated file", "--input", "half.h5:/entry/full"},
      {"no such object: path=/entry/x", "--input", "in.h5:/entry/x"},
      {"the output would replace the input", "--input", "in.h5:/entry/full", "--out", "in.h5"},
      {"the output exists, --force replaces it", "--out", "o.h5", "--png", "text.h5"},
    };
    String[][] others = {
      {"not an HDF5 file", "--input", "text.h5:/x"},
      {"not a dataset: path=/entry", "--input", "in.h5:/entry"},
      {"three dimensions", "--input", "in.h5:/entry/full_index"},
      {"the folder of the output does not exist", "--synthetic", "9x32x40", "--out", "no/o.h5"},
      {"the output exists, --force replaces it: out=half.h5", "--out", "half.h5"},
    };
    List<String[]> cases = new ArrayList<>(List.of(sample));
    if (Boolean.getBoolean("skerry.thorough")) {
      cases.addAll(List.of(others));
    }
    for (String[] one : cases) {
      List<String> line = new ArrayList<>(List.of("lcls", "--ranks", "3"));
      line.addAll(Arrays.asList(one).subList(1, one.length));
      Ran ran = skerry(line.toArray(String[]::new));
      assertEquals(1, ran.code(), ran.err());
      assertEquals("", ran.out());
      assertTrue(ran.err().startsWith("skerry: ") && ran.err().contains(one[0]), ran.err());
      assertEquals(ran.err().length() - 1, ran.err().indexOf('\n'), "more than once: " + ran.err());
      // A run takes 2 to 5 s on a half-loaded machine.
      assertTrue(ran.seconds() < 60, "took " + ran.seconds() + " s: " + one[0]);
      assertEquals(before, files());
    }
    assertEquals(-1, Arrays.mismatch(whole, Files.readAllBytes(folder.resolve("in.h5"))));
  }

  @Test
  void a_run_interrupted_by_a_full_disk_is_resumed_when_there_is_space() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounting a disk needs root");
    Path disk = Files.createDirectory(folder.resolve("disk"));
    String job = "lcls --synthetic 64x256x256 --every 4 --batch 4 --no-progress --out";
    String script =
        """
        mount -t tmpfs -o size=200k none disk || exit 77
        "$0" %1$s disk/o.h5 --ranks 3 && exit 78
        ls disk
        mount -o remount,size=20m disk || exit 79
        "$0" %1$s disk/o.h5 --ranks 3 --resume && "$0" verify disk/o.h5 && ls disk &&
          "$0" digest disk/o.h5 >resumed
        """
            .formatted(job);
    Ran ran =
        command(
            "unshare",
            "--mount",
            "--propagation",
            "private",
            "bash",
            "-c",
            script,
            above("skerry").toString());
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().startsWith("o.h5.partial\nframes "), ran.out());
    assertTrue(ran.out().contains("\nverified\n"), ran.out());
    assertTrue(ran.out().endsWith("clean\no.h5\n"), ran.out());
    assertTrue(ran.err().contains(" class=NO_SPACE "), ran.err());
    assertTrue(
        ran.err().contains("frames=64: the same command with --resume continues"), ran.err());
    String unused = inProcess((job + " ./disk/o.h5").split(" "));
    assertTrue(Files.exists(disk.resolve("o.h5")));
    assertEquals(inProcess("digest", "./disk/o.h5"), Files.readString(folder.resolve("resumed")));
  }

  @Test
  void a_stop_signal_before_the_handler_is_installed_does_not_kill_the_ranks() throws Exception {
    Path log = folder.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(
            (above("skerry") + " lcls --synthetic 9x32x40 --ranks 2 --out o.h5").split(" "));
    builder.environment().put("SKERRY_NO_INSTALL", "1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process job =
        builder
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    List<ProcessHandle> ranks = List.of();
    while (job.isAlive() && ranks.size() < 2) {
      ranks =
          job.descendants()
              .filter(process -> process.info().command().orElse("").endsWith("/bin/java"))
              .toList();
    }
    assertEquals(2, ranks.size(), Files.readString(log));
    for (ProcessHandle rank : ranks) {
      new ProcessBuilder("kill", "-USR1", "" + rank.pid()).start().waitFor();
    }
    assertTrue(job.waitFor(60, TimeUnit.SECONDS), "it goes on");
    assertEquals(0, job.exitValue(), Files.readString(log));
  }
}
