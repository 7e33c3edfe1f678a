package io.skerry.jobs.lcls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.SharedData;
import io.skerry.jobs.Shell;
import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.detector.PixelType;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Selection;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a run with one file per rank has the same content as a run with a single file. */
class RankFilesTest {
  private static final String FRAMES = "--synthetic 11x64x80 --every 3 --batch 2";

  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  @TempDir private Path folder;

  private String[] line(String out, int ranks, String options) {
    List<String> line = new ArrayList<>(List.of("lcls", "--out", "" + folder.resolve(out)));
    line.addAll(List.of("--ranks", "" + ranks));
    line.addAll(List.of(options.split(" ")));
    return line.toArray(String[]::new);
  }

  private Path run(String out, int ranks, String options) {
    Ran ran = InProcess.skerry(line(out, ranks, options));
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    assertTrue(ran.out().endsWith("verified\n"), ran.out());
    return folder.resolve(out);
  }

  private Path perRank(int ranks, String options) {
    return run("p" + ranks + ".h5", ranks, options + " --files-per-rank");
  }

  private Set<String> files() throws IOException {
    try (var all = Files.list(folder)) {
      return all.map(file -> "" + file.getFileName())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String of(Path out, String command, String... more) {
    List<String> line = new ArrayList<>(List.of(command, "" + out));
    line.addAll(List.of(more));
    return InProcess.good(line.toArray()).out();
  }

  private void same_digest_on(int[] ranks, String options) {
    Path single = run("single.h5", 2, options + " --force");
    String[] coordinates = {"/entry/events", "--coordinates"};
    String digest = of(single, "digest");
    String defined = of(single, "defined", coordinates);
    for (int n : ranks) {
      Path out = perRank(n, options);
      assertEquals(digest, of(out, "digest"), options + " on " + n);
      assertEquals(defined, of(out, "defined", coordinates));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FRAMES,
        "--synthetic 11x64x80 --mode roi",
        "--synthetic 12x64x80 --mode roi --every 1 --batch 1",
        "--synthetic 12x64x80 --every 100",
        "--synthetic 2x64x80 --every 2",
        "--synthetic 1x64x80 --every 1",
        "--synthetic 5x1x1 --every 2",
      })
  void every_number_of_ranks_presents_the_content_of_a_single_file(String options) {
    same_digest_on(THOROUGH ? new int[] {1, 2, 4, 7} : new int[] {1, 4}, options);
  }

  @ParameterizedTest
  @ValueSource(strings = {"points", "roi"})
  void frames_of_a_detector_have_the_digest_of_a_single_file(String mode) {
    Path cspad = SharedData.file("detector/cspad_thermolysin.h5");
    String input = " --input " + cspad + ":/entry/data/images";
    int[] ranks = THOROUGH ? new int[] {1, 2, 4} : new int[] {4};
    same_digest_on(ranks, "--every 2 --mode " + mode + input);
  }

  @Test
  void each_rank_has_a_file_with_its_frames() throws IOException {
    Path out = perRank(4, FRAMES);
    assertEquals(Set.of("p4.h5", "p4.0.h5", "p4.1.h5", "p4.2.h5", "p4.3.h5"), files());
    long[] firsts = {0, 2, 5, 8, 11};
    int[] all;
    try (H5File file = H5File.open(out)) {
      all = file.dataset(FrameStore.SPOT_COUNTS).readInts(Selection.all());
      assertEquals(
          4, file.dataset(FrameStore.EVENTS).virtualLayout().orElseThrow().mappings().size());
    }
    for (int rank = 0; rank < 4; rank++) {
      try (H5File file = H5File.open(folder.resolve("p4." + rank + ".h5"))) {
        Dataset events = file.dataset(FrameStore.EVENTS);
        long first = events.attribute(FrameStore.FIRST_FRAME).orElseThrow().longs()[0];
        assertEquals(firsts[rank], first);
        assertTrue(events.isSparse());
        int[] own = file.dataset(FrameStore.SPOT_COUNTS).readInts(Selection.all());
        assertEquals(firsts[rank + 1] - first, own.length);
        assertArrayEquals(
            java.util.Arrays.copyOfRange(all, (int) first, (int) first + own.length), own);
      }
    }
  }

  @Test
  void the_commands_print_the_same_as_for_a_single_file() throws IOException {
    Path single = run("single.h5", 1, FRAMES);
    Path out = perRank(3, FRAMES);
    for (String path : List.of(FrameStore.EVENTS, FrameStore.FULL, FrameStore.SPOT_COUNTS)) {
      // Only the datasets of the single file are extendible.
      String expected = InProcess.good("dump", single + ":" + path).out().replace("[inf]", "");
      assertEquals(expected, InProcess.good("dump", out + ":" + path).out());
    }
    assertTrue(of(out, "ls").contains("3 mappings, 3 files"), of(out, "ls"));
    assertTrue(of(out, "stat").contains("/entry/events"));
    assertTrue(of(out, "verify").endsWith("clean\n"));
    List<String> exports = new ArrayList<>();
    List<String> components = new ArrayList<>();
    for (Path from : List.of(single, out)) {
      Path coo = folder.resolve("coo.h5");
      InProcess.good("export", from + ":/entry/events", coo, "--as", "coo");
      exports.add(of(coo, "digest"));
      Files.delete(coo);
      Path pca = folder.resolve("pca.h5");
      InProcess.good("pca", from + ":/entry/events", "--out", pca, "--force", "--components", "2");
      // The attribute with the name of the input differs.
      components.add(of(pca, "digest").replaceAll(".*@source .*\n", ""));
    }
    assertEquals(exports.getFirst(), exports.getLast());
    assertEquals(components.getFirst(), components.getLast());
  }

  @Test
  void the_json_report_has_the_number_of_files() {
    Ran ran = InProcess.skerry(line("j.h5", 3, FRAMES + " --files-per-rank --json"));
    assertTrue(
        ran.out().contains(", \"rankFiles\": 3, \"verified\": true}"), ran.out() + ran.err());
    long bytes =
        List.of("j.h5", "j.0.h5", "j.1.h5", "j.2.h5").stream()
            .mapToLong(name -> folder.resolve(name).toFile().length())
            .sum();
    long reported =
        List.of("sparseBytes", "fullBytes").stream()
            .mapToLong(
                key -> Long.parseLong(ran.out().replaceAll(".*\"" + key + "\": (\\d+).*\n", "$1")))
            .sum();
    assertEquals(bytes, reported);
  }

  @Test
  void h5py_reads_the_dense_datasets_of_the_main_file() throws Exception {
    String python = System.getenv().getOrDefault("SKERRY_PYTHON", "python3");
    String[] probe = {"bash", "-c", python + " -c 'import h5py'"};
    assumeTrue(
        Shell.run(folder, System.getenv(), List.of(probe)).code() == 0,
        "python3 with h5py is absent: skipped");
    String options = "--synthetic 11x64x80 --every 3 --mode roi";
    run("single.h5", 1, options);
    perRank(3, options);
    String script =
        """
        import h5py, numpy
        single, out = h5py.File("single.h5"), h5py.File("p3.h5")
        for path in ("entry/full", "entry/full_index", "entry/spot_counts"):
            assert out[path].is_virtual and out[path].dtype == single[path].dtype, path
            assert numpy.array_equal(out[path][...], single[path][...]), path
        assert len(out["entry/events"].virtual_sources()) == 3
        print(out["entry/full_index"][...].tolist())
        """;
    Ran ran = Shell.run(folder, System.getenv(), List.of(python, "-c", script));
    assertEquals("[0, 3, 6, 9]\n", ran.out(), ran.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"p.h5", "p.0.h5", "p.2.h5"})
  void an_existing_output_is_refused_before_a_frame_is_read(String name) throws IOException {
    Files.writeString(folder.resolve(name), "a thesis");
    Ran ran =
        InProcess.skerry(
            (_, _, _) -> {
              throw new AssertionError("the source was opened");
            },
            line("p.h5", 3, FRAMES + " --files-per-rank"));
    assertEquals(1, ran.code(), ran.out());
    assertEquals(
        "skerry: the output exists, --force replaces it: out=" + folder.resolve(name) + "\n",
        ran.err());
    assertEquals(Set.of(name), files());
    assertEquals("a thesis", Files.readString(folder.resolve(name)));
    run("p.h5", 3, FRAMES + " --files-per-rank --force");
    assertEquals(Set.of("p.h5", "p.0.h5", "p.1.h5", "p.2.h5"), files());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 10})
  void a_rank_that_fails_ends_the_job_without_output(int frame) throws IOException {
    for (int ranks : new int[] {1, 3}) {
      Ran ran =
          InProcess.skerry(
              (source, all, agreement) ->
                  new Failing(FrameReader.open(source, all, agreement), frame),
              line("p.h5", ranks, FRAMES + " --files-per-rank"));
      assertEquals(1, ran.code(), ran.out());
      assertEquals(1, ran.err().lines().count(), ran.err());
      assertTrue(ran.err().startsWith("skerry: no such frame any more: frame="), ran.err());
      assertEquals(Set.of(), files());
    }
  }

  @Test
  void a_request_to_stop_ends_the_job_without_output() throws IOException {
    Ran ran =
        InProcess.skerry(
            FrameReader::open, () -> true, line("p.h5", 3, FRAMES + " --files-per-rank"));
    assertEquals(1, ran.code(), ran.out());
    assertTrue(ran.err().startsWith("skerry: stopped on request: "), ran.err());
    assertEquals(Set.of(), files());
  }

  @Test
  void the_files_of_a_killed_run_on_more_ranks_are_removed() throws IOException {
    Path partial = Files.createDirectory(folder.resolve("p2.h5.partial"));
    Files.writeString(partial.resolve("p2.5.h5"), "half a file");
    perRank(2, FRAMES);
    assertEquals(Set.of("p2.h5", "p2.0.h5", "p2.1.h5"), files());
    Files.createDirectory(partial);
    Files.writeString(partial.resolve("p2.5.h5.txt"), "a diary");
    Ran ran = InProcess.skerry(line("p2.h5", 2, FRAMES + " --files-per-rank --force"));
    assertEquals(1, ran.code(), ran.out());
    assertEquals("a diary", Files.readString(partial.resolve("p2.5.h5.txt")));
  }

  @Test
  void the_input_is_not_replaced_by_the_file_of_a_rank() throws IOException {
    Path in = run("p.1.h5", 1, "--synthetic 4x32x32 --every 1");
    byte[] before = Files.readAllBytes(in);
    String input = "--force --files-per-rank --input " + in + ":/entry/full";
    Ran ran = InProcess.skerry(line("p.h5", 2, input));
    assertEquals(1, ran.code(), ran.out());
    assertTrue(ran.err().contains("the output would replace the input: file="), ran.err());
    assertArrayEquals(before, Files.readAllBytes(in));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--split", "--resume"})
  void options_that_contradict_each_other_are_refused(String other) {
    Ran ran = InProcess.skerry(line("p.h5", 2, "--files-per-rank " + other));
    assertEquals(2, ran.code(), ran.out());
    assertTrue(ran.err().contains("--files-per-rank") && ran.err().contains(other), ran.err());
  }

  /** A frame reader that fails on one frame. */
  private record Failing(FrameReader frames, int bad) implements FrameReader {
    @Override
    public FrameShape shape() {
      return frames.shape();
    }

    @Override
    public PixelType pixelType() {
      return frames.pixelType();
    }

    @Override
    public String units() {
      return frames.units();
    }

    @Override
    public void read(long first, int count, MemorySegment into) {
      if (first <= bad && bad < first + count) {
        throw new JobException("no such frame any more: frame=" + bad);
      }
      frames.read(first, count, into);
    }

    @Override
    public void close() {
      frames.close();
    }
  }
}
