package io.skerry.jobs.pca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.StringType;
import io.skerry.jobs.FrameFile;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.Shell;
import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.Ranks;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.Trust;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code skerry pca}, and compares it with numpy if available. */
class PcaTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  @TempDir private Path folder;

  /** Returns numbers of ranks for the cases in which a single rank takes other paths. */
  private static IntStream someRanks() {
    return THOROUGH ? IntStream.of(1, 2, 3) : IntStream.of(1, 3);
  }

  /** Returns numbers of ranks for the cases in which every number takes the same paths. */
  private static IntStream parallelRanks() {
    return THOROUGH ? IntStream.of(1, 2, 3) : IntStream.of(3);
  }

  /** The datasets that a run has stored. */
  private record Found(
      double[] components, double[] scores, double[] variances, double[] ratios, double[] mean) {
    static Found in(Path file) {
      try (H5File in = H5File.open(file)) {
        return new Found(
            values(in, "/components"),
            values(in, "/scores"),
            values(in, "/explained_variance"),
            values(in, "/explained_variance_ratio"),
            values(in, "/mean"));
      }
    }

    private static double[] values(H5File in, String path) {
      return in.dataset(path).readDoubles(Selection.all());
    }
  }

  private Found run(Path file, Object... more) {
    Path out = folder.resolve("out.h5");
    Object[] line = new Object[more.length + 5];
    line[0] = "pca";
    line[1] = file + ":/p";
    line[2] = "--out";
    line[3] = out;
    line[4] = "--force";
    System.arraycopy(more, 0, line, 5, more.length);
    InProcess.good(line);
    return Found.in(out);
  }

  /** Returns frames with four patterns of different variance, and noise. */
  private static FrameFile patterns(int frames, int rows, int columns, double defined, long seed) {
    Random random = new Random(seed);
    double[][] pattern = new double[4][rows * columns];
    for (double[] one : pattern) {
      for (int i = 0; i < one.length; i++) {
        one[i] = random.nextGaussian();
      }
    }
    return FrameFile.of(
        frames,
        rows,
        columns,
        (frame, pixel) -> {
          if (random.nextDouble() >= defined) {
            return Double.NaN;
          }
          double value = random.nextGaussian() / 10;
          for (int i = 0; i < pattern.length; i++) {
            value += (8 >> i) * Math.sin((i + 1) * (frame + 0.3)) * pattern[i][pixel];
          }
          return value;
        });
  }

  /** Compares a result with the singular values and vectors of numpy. */
  private void agrees(FrameFile frames, double undefined, String centering, int count, Found found)
      throws Exception {
    String python = System.getenv().getOrDefault("SKERRY_PYTHON", "python3");
    store("stack", frames.filled(undefined));
    store("components", found.components());
    store("scores", found.scores());
    Path script = folder.resolve("pca.py");
    if (!Files.exists(script)) {
      try (InputStream in = Objects.requireNonNull(PcaTest.class.getResourceAsStream("pca.py"))) {
        Files.copy(in, script);
      }
    }
    int pixels = frames.rows() * frames.columns();
    Ran ran =
        Shell.run(
            folder,
            System.getenv(),
            List.of(
                "bash",
                "-c",
                "exec \"$@\"",
                "bash",
                python,
                script.toString(),
                folder.toString(),
                "" + frames.frames(),
                "" + pixels,
                "" + count,
                centering));
    assumeTrue(ran.code() != 77 && ran.code() != 127, "python3 with numpy is absent: skipped");
    assertEquals(0, ran.code(), ran.err());
    double[] expected = new double[2 * count + 2];
    ByteBuffer.wrap(Files.readAllBytes(folder.resolve("expected")))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asDoubleBuffer()
        .get(expected);
    for (int i = 0; i < count; i++) {
      assertEquals(expected[i], found.variances()[i], 1e-11 * expected[0], "variance " + i);
      assertEquals(expected[count + i], found.ratios()[i], 1e-11, "ratio " + i);
    }
    assertTrue(expected[2 * count] < 1e-9, "components differ by " + expected[2 * count]);
    assertTrue(expected[2 * count + 1] < 1e-9, "scores differ by " + expected[2 * count + 1]);
  }

  private void store(String name, double[] values) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asDoubleBuffer().put(values);
    Files.write(folder.resolve(name), bytes.array());
  }

  @ParameterizedTest
  @MethodSource("someRanks")
  void few_sparse_frames_of_many_pixels_agree_with_numpy(int ranks) throws Exception {
    FrameFile frames = patterns(23, 12, 15, 0.2, 1);
    Path file = frames.sparse(folder.resolve("in.h5"), 0, 1, 12, 15);
    Found found = run(file, "--ranks", ranks, "--components", 5);
    agrees(frames, 0, "mean", 5, found);
    found = run(file, "--ranks", ranks, "--components", 5, "--no-center");
    agrees(frames, 0, "none", 5, found);
  }

  @ParameterizedTest
  @MethodSource("parallelRanks")
  void many_sparse_frames_of_few_pixels_agree_with_numpy(int ranks) throws Exception {
    FrameFile frames = patterns(101, 4, 6, 0.3, 2);
    Path file = frames.sparse(folder.resolve("in.h5"), 0, 8, 4, 6);
    Found found = run(file, "--ranks", ranks);
    agrees(frames, 0, "mean", 4, found);
    found = run(file, "--ranks", ranks, "--no-center");
    agrees(frames, 0, "none", 4, found);
  }

  @ParameterizedTest
  @MethodSource("parallelRanks")
  void small_changes_of_bright_pixels_are_not_lost(int ranks) throws Exception {
    for (int[] size : new int[][] {{21, 6, 10}, {70, 4, 5}}) {
      FrameFile sparse = patterns(size[0], size[1], size[2], 0.3, 3);
      FrameFile changes = patterns(size[0], size[1], size[2], 1, 4);
      int pixels = size[1] * size[2];
      FrameFile frames =
          FrameFile.of(
              size[0],
              size[1],
              size[2],
              (frame, pixel) -> {
                int at = frame * pixels + pixel;
                return pixel % 3 == 0 ? 1e7 + changes.pixels()[at] : sparse.pixels()[at];
              });
      Path file = frames.sparse(folder.resolve("in.h5"), 0, 1, size[1], size[2]);
      Found found = run(file, "--ranks", ranks);
      // The precision of 53 bits limits the agreement for values of 1e7.
      agrees(frames, 0, "mean", 4, found);
    }
  }

  @ParameterizedTest
  @MethodSource("parallelRanks")
  void undefined_pixels_have_the_fill_value_or_the_given_value(int ranks) throws Exception {
    FrameFile frames = patterns(19, 7, 9, 0.4, 5);
    Path file = frames.sparse(folder.resolve("in.h5"), 2.5, 2, 7, 9);
    for (String centering : List.of("mean", "none")) {
      Object[] fill =
          centering.equals("mean")
              ? new Object[] {"--ranks", ranks}
              : new Object[] {"--ranks", ranks, "--no-center"};
      Found found = run(file, fill);
      agrees(frames, 2.5, centering, 4, found);
      double[] sum = new double[63];
      for (int i = 0; i < frames.pixels().length; i++) {
        sum[i % 63] += frames.filled(2.5)[i] / 19;
      }
      assertArrayEquals(sum, found.mean(), 1e-12);
    }
    Found told = run(file, "--ranks", ranks, "--undefined", "-1");
    agrees(frames, -1, "mean", 4, told);
  }

  @ParameterizedTest
  @MethodSource("someRanks")
  void dense_frames_of_every_numeric_type_are_accepted(int ranks) throws Exception {
    Random random = new Random(6);
    FrameFile frames =
        FrameFile.of(14, 6, 8, (frame, pixel) -> random.nextInt(100) + pixel * (frame % 3));
    List<Found> all = new ArrayList<>();
    for (Datatype type :
        List.of(Datatype.U16, Datatype.I64, Datatype.F32, Datatype.I32.withOrder(Endian.BIG))) {
      all.add(run(frames.dense(folder.resolve(type + ".h5"), type), "--ranks", ranks));
    }
    agrees(frames, 0, "mean", 4, all.getFirst());
    // Each type represents the values exactly.
    for (Found found : all) {
      double[] variances = all.getFirst().variances();
      assertArrayEquals(variances, found.variances(), 1e-11 * variances[0]);
      assertArrayEquals(all.getFirst().ratios(), found.ratios(), 1e-11);
      assertArrayEquals(all.getFirst().components(), found.components(), 1e-9);
      assertArrayEquals(all.getFirst().scores(), found.scores(), 1e-9);
    }
  }

  private static PcaOptions onTwoRanks(Path in, Path out) {
    return new PcaOptions(
        Ranks.of(2),
        in,
        Trust.SAME_FOLDER,
        "/p",
        4,
        Centering.MEAN,
        OptionalDouble.empty(),
        out,
        Optional.empty(),
        ExistingOutput.REPLACED,
        ReportForm.JSON);
  }

  /** Returns libraries whose class name differs, as on another node. */
  private static LinearAlgebra otherLibraries() {
    BLAS blas = BLAS.getInstance();
    Object other =
        Proxy.newProxyInstance(
            PcaTest.class.getClassLoader(),
            new Class<?>[] {BLAS.class},
            (_, method, arguments) -> method.invoke(blas, arguments));
    return new LinearAlgebra((BLAS) other, LAPACK.getInstance(), Logger.getAnonymousLogger());
  }

  @Test
  void ranks_with_different_libraries_store_and_report_those_of_rank_0() {
    FrameFile frames = patterns(25, 24, 24, 0.5, 8);
    Path out = folder.resolve("mixed.h5");
    PcaOptions options = onTwoRanks(frames.sparse(folder.resolve("in.h5"), 0, 4, 24, 24), out);
    List<Json.Members> reports =
        LocalRanks.call(
            2,
            world ->
                new PcaJob(
                        options,
                        new MemoryBudget(1 << 20),
                        Map.of(),
                        world.rank() == 0 ? LinearAlgebra::load : PcaTest::otherLibraries)
                    .run(world));
    String library = LinearAlgebra.load().names();
    for (Json.Members report : reports) {
      assertTrue(report.text().contains("\"library\": \"" + library + "\""), report.text());
    }
    try (H5File file = H5File.open(out)) {
      assertEquals(library, file.dataset("/components").attribute("library").orElseThrow().text());
    }
  }

  @Test
  void pixels_that_exceed_memory_are_processed_in_rounds() throws Exception {
    FrameFile frames = patterns(25, 24, 24, 0.5, 7);
    Path file = frames.sparse(folder.resolve("in.h5"), 0, 4, 24, 24);
    Path out = folder.resolve("rounds.h5");
    PcaOptions options = onTwoRanks(file, out);
    List<Json.Members> reports =
        LocalRanks.call(
            2, world -> new PcaJob(options, new MemoryBudget(70_000), Map.of()).run(world));
    String report = reports.getFirst().text();
    assertEquals(report, reports.getLast().text());
    assertTrue(report.contains("\"gram\": \"frames\", \"rounds\": 6"), report);
    agrees(frames, 0, "mean", 4, Found.in(out));
    JobException none =
        assertThrows(
            JobException.class,
            () ->
                LocalRanks.call(
                    2,
                    world -> new PcaJob(options, new MemoryBudget(63_000), Map.of()).run(world)));
    assertTrue(
        none.getMessage()
            .startsWith(
                "not enough memory for the Gram matrix of frames=25 or of pixels=576: needed="),
        none.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void frames_without_variance_have_zero_components(int ranks) {
    double[] nothing = new double[2];
    FrameFile one = FrameFile.of(1, 3, 4, (_, pixel) -> pixel);
    Found found = run(one.dense(folder.resolve("one.h5"), Datatype.F32), "--components", 1);
    assertArrayEquals(new double[12], found.components());
    assertArrayEquals(new double[1], found.scores());
    assertArrayEquals(new double[1], found.variances());
    assertArrayEquals(new double[1], found.ratios());
    assertArrayEquals(one.pixels(), found.mean());
    for (int frames : new int[] {7, 1000}) {
      FrameFile equal =
          FrameFile.of(frames, 5, 5, (_, pixel) -> pixel % 2 == 0 ? 0.1 * pixel : 1e9);
      Path file = equal.dense(folder.resolve("equal.h5"), Datatype.F64);
      found = run(file, "--components", 2, "--ranks", ranks);
      assertArrayEquals(nothing, found.variances());
      assertArrayEquals(nothing, found.ratios());
      assertArrayEquals(new double[50], found.components());
      assertArrayEquals(new double[2 * frames], found.scores());
    }
    FrameFile empty = FrameFile.of(5, 4, 4, (_, _) -> Double.NaN);
    Path file = empty.sparse(folder.resolve("empty.h5"), 0, 1, 4, 4);
    found = run(file, "--components", 2, "--ranks", ranks);
    assertArrayEquals(nothing, found.variances());
    assertArrayEquals(new double[32], found.components());
    assertArrayEquals(new double[16], found.mean());
  }

  @ParameterizedTest
  @MethodSource("someRanks")
  void components_beyond_the_rank_of_the_frames_are_zero(int ranks) {
    for (int frames : new int[] {9, 60}) {
      FrameFile three =
          FrameFile.of(frames, 4, 5, (frame, pixel) -> Math.cos(frame % 3 + pixel * 7));
      Path file = three.dense(folder.resolve("three.h5"), Datatype.F64);
      Found found = run(file, "--ranks", ranks, "--components", 5);
      assertTrue(found.variances()[1] > 0, found.variances()[1] + "");
      assertArrayEquals(new double[3], Arrays.copyOfRange(found.variances(), 2, 5));
      assertArrayEquals(new double[60], Arrays.copyOfRange(found.components(), 40, 100));
      assertEquals(1, found.ratios()[0] + found.ratios()[1], 1e-12);
      // The mean and two components reproduce the frames.
      for (int frame = 0; frame < frames; frame++) {
        for (int pixel = 0; pixel < 20; pixel++) {
          double sum = found.mean()[pixel];
          for (int i = 0; i < 5; i++) {
            sum += found.scores()[frame * 5 + i] * found.components()[i * 20 + pixel];
          }
          assertEquals(three.pixels()[frame * 20 + pixel], sum, 1e-12);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("parallelRanks")
  void frames_without_any_value_are_counted(int ranks) throws Exception {
    FrameFile some = patterns(18, 6, 7, 0.5, 8);
    FrameFile frames =
        FrameFile.of(
            18,
            6,
            7,
            (frame, pixel) ->
                frame > 4 && frame < 15 ? Double.NaN : some.pixels()[frame * 42 + pixel]);
    Path file = frames.sparse(folder.resolve("in.h5"), 0, 1, 6, 7);
    agrees(frames, 0, "mean", 4, run(file, "--ranks", ranks));
  }

  @Test
  void components_and_signs_do_not_depend_on_the_number_of_ranks() {
    FrameFile frames = patterns(30, 9, 9, 0.3, 9);
    Path file = frames.sparse(folder.resolve("in.h5"), 0, 4, 9, 9);
    Found alone = run(file);
    for (int ranks : new int[] {2, 4, 5}) {
      Found found = run(file, "--ranks", ranks);
      assertArrayEquals(alone.components(), found.components(), 1e-12);
      assertArrayEquals(alone.scores(), found.scores(), 1e-10);
      assertArrayEquals(alone.mean(), found.mean(), 1e-14);
    }
    for (int i = 0; i < 4; i++) {
      double largest = 0;
      for (int pixel = 0; pixel < 81; pixel++) {
        double value = alone.components()[i * 81 + pixel];
        largest = Math.abs(value) > Math.abs(largest) ? value : largest;
      }
      assertTrue(largest > 0, "component " + i + " " + largest);
    }
  }

  @Test
  void the_report_the_file_and_the_picture_are_written() throws IOException {
    FrameFile frames = patterns(12, 20, 30, 0.2, 10);
    Path file = frames.sparse(folder.resolve("in.h5"), 0, 1, 20, 30);
    Path out = folder.resolve("out.h5");
    Path png = folder.resolve("p.png");
    Ran ran = InProcess.good("pca", file + ":/p", "--out", out, "--png", png, "--json");
    assertTrue(
        ran.out()
            .startsWith(
                "{\"in\": \"%s:/p\", \"out\": \"%s\", \"ranks\": 1, \"frames\": 12, \"rows\": 20,"
                        .formatted(file, out)
                    + " \"columns\": 30, \"values\": "),
        ran.out());
    assertTrue(
        ran.out().contains("\"centering\": \"mean\", \"library\": \"dev.ludovic.netlib.blas."));
    assertTrue(ran.out().contains("\"rank\": 4, \"explainedVariance\": ["), ran.out());
    assertTrue(ran.out().endsWith("\"picture\": \"" + png + "\"}\n"), ran.out());
    var image = ImageIO.read(png.toFile());
    assertTrue(image.getWidth() > 900 && image.getHeight() > 400, image.toString());
    try (H5File in = H5File.open(out)) {
      var components = in.dataset("/components");
      assertEquals("in.h5:/p", components.attribute("source").orElseThrow().text());
      assertEquals("mean", components.attribute("centering").orElseThrow().text());
      assertTrue(components.attribute("library").orElseThrow().text().contains("LAPACK"));
      assertTrue(components.attribute("creator").orElseThrow().text().startsWith("skerry "));
      assertEquals(Shape.of(4, 20, 30), components.shape());
      assertEquals(Shape.of(12, 4), in.dataset("/scores").shape());
    }
    String text = InProcess.good("pca", file + ":/p", "--out", out, "--force").out();
    assertTrue(text.contains("\ngram             frames\n"), text);
  }

  private Set<String> files() throws IOException {
    try (var all = Files.list(folder)) {
      return new TreeSet<>(all.map(f -> f.getFileName().toString()).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void errors_print_one_line_and_leave_no_files(int ranks) throws IOException {
    Path file = folder.resolve("in.h5");
    try (H5File out = H5File.create(file)) {
      out.createDataset("/flat", DatasetSpec.of(Datatype.F64, Shape.of(5, 6)));
      out.createDataset(
          "/none", DatasetSpec.of(Datatype.F64, Shape.of(0, 5, 6).unlimited(0)).chunked(1, 5, 6));
      out.createDataset("/texts", DatasetSpec.of(StringType.of(3), Shape.of(2, 3, 4)));
      out.createDataset("/good", DatasetSpec.of(Datatype.F64, Shape.of(6, 3, 4)));
      double[] values = new double[72];
      values[4 * 12 + 6] = Double.NaN;
      values[5 * 12] = Double.POSITIVE_INFINITY;
      out.createDataset("/nan", DatasetSpec.of(Datatype.F64, Shape.of(6, 3, 4)))
          .write(Selection.all(), values);
      double[] large = new double[72];
      large[3] = 1e200;
      out.createDataset("/large", DatasetSpec.of(Datatype.F64, Shape.of(6, 3, 4)))
          .write(Selection.all(), large);
      byte[] nan = new byte[8];
      ByteBuffer.wrap(nan).order(ByteOrder.LITTLE_ENDIAN).putDouble(Double.NaN);
      out.createDataset(
          "/unfilled",
          DatasetSpec.of(Datatype.F64, Shape.of(6, 3, 4)).sparse(1, 3, 4).fillValue(nan));
      out.createGroup("/group");
    }
    String[][] wrong = {
      {"frames need three dimensions, none of them empty: path=/flat shape=5x6", "/flat"},
      {"frames need three dimensions, none of them empty: path=/none shape=0[inf]x5x6", "/none"},
      {"pixels must be numbers: path=/texts type=string[3]", "/texts"},
      {"not a dataset: path=/group", "/group"},
      {"no such object: path=/absent", "/absent"},
      {
        "more components than frames or pixels: components=7 frames=6 pixels=12",
        "/good",
        "--components",
        "7"
      },
      {"not a finite number: path=/nan frame=4 row=1 column=2", "/nan"},
      {"the squares of the values are too large for binary64: path=/large", "/large"},
      {"say --undefined VALUE: path=/unfilled fill=NaN", "/unfilled"},
    };
    for (String[] one : wrong) {
      Object[] line = new Object[one.length + 5];
      line[0] = "pca";
      line[1] = file + ":" + one[1];
      line[2] = "--ranks";
      line[3] = ranks;
      line[4] = "--out";
      line[5] = folder.resolve("out.h5");
      for (int i = 2; i < one.length; i++) {
        line[4 + i] = one[i];
      }
      line = Arrays.copyOf(line, one.length + 4);
      InProcess.refused(1, one[0], line);
      assertEquals(Set.of("in.h5"), files());
    }
    InProcess.refused(1, "would replace the input", "pca", file + ":/good", "--out", file);
    InProcess.refused(1, "no such file", "pca", folder.resolve("x.h5") + ":/good");
    InProcess.refused(2, "not FILE:/path", "pca", file);
    InProcess.refused(2, "components=0", "pca", file + ":/good", "--components", 0);
    InProcess.refused(2, "undefined=NaN", "pca", file + ":/good", "--undefined", "NaN");
    InProcess.refused(2, "not the name of a file: out=.", "pca", file + ":/good", "--out", ".");
    assertEquals(Set.of("in.h5"), files());
    InProcess.good("pca", file + ":/unfilled", "--undefined", 0, "--out", folder.resolve("o.h5"));
  }
}
