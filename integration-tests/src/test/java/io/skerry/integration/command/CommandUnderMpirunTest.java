package io.skerry.integration.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.integration.SharedData;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the {@code ./skerry} command with processes as ranks. */
class CommandUnderMpirunTest {
  @TempDir private Path folder;
  private final Map<String, String> more = new HashMap<>();

  /** The exit code, the output and the duration of a command. */
  private record Ran(int code, String out, String err, double seconds) {}

  @BeforeEach
  void needs_mpirun() {
    String path = System.getenv().getOrDefault("PATH", "");
    assumeTrue(
        Arrays.stream(path.split(":")).anyMatch(f -> Files.isExecutable(Path.of(f, "mpirun"))),
        "mpirun is absent: skipped");
  }

  private static Path above(String name) {
    Path at = Path.of("").toAbsolutePath();
    while (at != null && !Files.exists(at.resolve(name))) {
      at = at.getParent();
    }
    assumeTrue(at != null, "absent in all folders above: " + name);
    return at.resolve(name);
  }

  private Ran skerry(String... arguments) throws IOException, InterruptedException {
    return command(above("skerry").toString(), arguments);
  }

  private Ran command(String program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile("skerry-out", ".txt");
    Path err = Files.createTempFile("skerry-err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(OMPI_COMM|PMIX?_|PRTE_).*"));
    builder.environment().put("SKERRY_NO_INSTALL", "1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(more);
    long begin = System.nanoTime();
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "did not end in 120 s: " + command);
      double seconds = (System.nanoTime() - begin) / 1e9;
      return new Ran(process.exitValue(), Files.readString(out), Files.readString(err), seconds);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      Files.delete(out);
      Files.delete(err);
    }
  }

  private Set<String> files() throws IOException {
    try (var all = Files.list(folder)) {
      return new TreeSet<>(all.map(f -> f.getFileName().toString()).toList());
    }
  }

  @Test
  void processes_and_threads_store_the_same_and_h5dump_reads_the_main_file_of_a_split_run()
      throws Exception {
    Ran ran =
        skerry("lcls --ranks 3 --synthetic 7x96x96 --every 2 --split --json --out p.h5".split(" "));
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    assertTrue(ran.out().startsWith("{\"ranks\": 3, "), ran.out());
    assertTrue(ran.out().endsWith("\"verified\": true}\n"), ran.out());
    Ran threads = skerry("lcls --synthetic 7x96x96 --every 2 --split --json --out t.h5".split(" "));
    assertEquals(0, threads.code(), threads.err());
    assertEquals(Set.of("p.h5", "p.events.h5", "t.h5", "t.events.h5"), files());
    String[] forms = {"--count", "--coordinates"};
    for (String form : forms) {
      Ran defined = skerry("defined", "p.h5", "/entry/events", form);
      assertEquals(0, defined.code(), defined.err());
      assertTrue(defined.out().length() > 1);
      assertEquals(defined.out(), skerry("defined", "t.h5", "/entry/events", form).out());
    }
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/h5dump")), "h5dump is absent: skipped");
    Ran dump = command("/usr/bin/h5dump", "p.h5");
    assertEquals(0, dump.code(), dump.err());
    assertEquals("", dump.err());
    assertTrue(dump.out().contains("EXTERNAL_LINK \"events\""), "no external link shown");
    assertTrue(dump.out().contains("DATASET \"full_index\""), "no full_index shown");
  }

  @Test
  void one_file_per_process_has_the_digest_of_a_single_file() throws Exception {
    String frames = "lcls --synthetic 7x96x96 --every 2 --batch 1";
    Ran single = skerry((frames + " --out single.h5").split(" "));
    assertEquals(0, single.code(), single.err());
    Ran ran = skerry((frames + " --ranks 3 --files-per-rank --json --out p.h5").split(" "));
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    assertTrue(ran.out().endsWith("\"rankFiles\": 3, \"verified\": true}\n"), ran.out());
    assertEquals(Set.of("single.h5", "p.h5", "p.0.h5", "p.1.h5", "p.2.h5"), files());
    assertEquals(skerry("digest", "single.h5").out(), skerry("digest", "p.h5").out());
  }

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
    assertEquals(
        0, skerry("lcls", "--synthetic", "6x32x40", "--every", "1", "--out", "in.h5").code());
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
    assertEquals(
        0, skerry("lcls", "--synthetic", "9x32x40", "--every", "1", "--out", "in.h5").code());
    byte[] whole = Files.readAllBytes(folder.resolve("in.h5"));
    Files.write(folder.resolve("half.h5"), Arrays.copyOf(whole, whole.length / 2));
    Set<String> before = files();
    String[][] cases = {
      {"no such file: file=missing.h5", "--input", "missing.h5:/x"},
      {"not an HDF5 file", "--input", "text.h5:/x"},
      {"truncated file", "--input", "half.h5:/entry/full"},
      {"not a dataset: path=/entry", "--input", "in.h5:/entry"},
      {"no such object: path=/entry/x", "--input", "in.h5:/entry/x"},
      {"three dimensions", "--input", "in.h5:/entry/full_index"},
      {"the folder of the output does not exist", "--synthetic", "9x32x40", "--out", "no/o.h5"},
      {"the output would replace the input", "--input", "in.h5:/entry/full", "--out", "in.h5"},
      {"the output exists, --force replaces it: out=half.h5", "--out", "half.h5"},
      {"the output exists, --force replaces it", "--out", "o.h5", "--png", "text.h5"},
    };
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
    assertEquals(0, skerry((job + " disk/o.h5").split(" ")).code());
    assertTrue(Files.exists(disk.resolve("o.h5")));
    assertEquals(skerry("digest", "disk/o.h5").out(), Files.readString(folder.resolve("resumed")));
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

  @Test
  void frames_of_a_detector_are_verified_on_four_processes() throws Exception {
    Path cspad = SharedData.require("detector/cspad_thermolysin.h5");
    Ran ran =
        skerry(
            "lcls",
            "--ranks",
            "4",
            "--input",
            cspad + ":/entry/data/images",
            "--every",
            "2",
            "--json",
            "--out",
            "c.h5");
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().endsWith("\"verified\": true}\n"), ran.out());
  }

  @Test
  void three_processes_and_one_without_native_libraries_find_the_same_components()
      throws Exception {
    assertEquals(0, skerry("lcls", "--synthetic", "9x32x40", "--out", "in.h5").code());
    String[] line = "pca in.h5:/entry/events --ranks 3 --json --out p.h5 --png p.png".split(" ");
    Ran ran = skerry(line);
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    assertTrue(ran.out().contains("\"ranks\": 3, \"frames\": 9, "), ran.out());
    more.put(
        "SKERRY_JAVA_OPTS",
        "-Ddev.ludovic.netlib.blas.allowNative=false"
            + " -Ddev.ludovic.netlib.lapack.allowNative=false");
    Ran java = skerry("pca", "in.h5:/entry/events", "--json", "--out", "j.h5");
    assertEquals(0, java.code(), java.err());
    assertEquals("", java.err());
    assertTrue(java.out().contains(".F2jLAPACK\""), java.out());
    assertEquals(Set.of("in.h5", "p.h5", "p.png", "j.h5"), files());
    try (H5File three = H5File.open(folder.resolve("p.h5"));
        H5File one = H5File.open(folder.resolve("j.h5"))) {
      for (String path : List.of("/components", "/scores", "/explained_variance", "/mean")) {
        double[] expected = one.dataset(path).readDoubles(Selection.all());
        double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
        assertTrue(largest > 0, path);
        assertArrayEquals(
            expected, three.dataset(path).readDoubles(Selection.all()), 1e-9 * largest, path);
      }
    }
    more.clear();
    Ran refused = skerry("pca in.h5:/entry/events --ranks 3 --components 10 --out x.h5".split(" "));
    assertEquals(1, refused.code());
    assertEquals(
        "skerry: more components than frames or pixels: components=10 frames=9 pixels=1280\n",
        refused.err());
    assertEquals(Set.of("in.h5", "p.h5", "p.png", "j.h5"), files());
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/h5dump")), "h5dump is absent: skipped");
    Ran dump = command("/usr/bin/h5dump", "p.h5");
    assertEquals(0, dump.code(), dump.err());
    assertTrue(dump.out().contains("DATASET \"explained_variance_ratio\""), "no ratios shown");
  }
}
