package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.frame.FrameSource;
import io.skerry.jobs.inspect.DefinedOptions;
import io.skerry.jobs.inspect.LsOptions;
import io.skerry.jobs.lcls.LclsOptions;
import io.skerry.jobs.pca.Centering;
import io.skerry.jobs.pca.PcaOptions;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.Launch;
import io.skerry.jobs.run.Ranks;
import io.skerry.parallel.Trust;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SkerryTest {
  private static final Launch ALONE = Launch.of(Map.of());

  private final List<Object> asked = new ArrayList<>();
  private final StringWriter errors = new StringWriter();
  private final StringWriter output = new StringWriter();

  private final Subcommand.Handlers recording =
      new Subcommand.Handlers() {
        @Override
        public <O> ToIntFunction<O> of(Subcommand<O> subcommand) {
          return options -> record(subcommand.name(), options);
        }
      };

  private int record(String subcommand, Object options) {
    asked.add(options);
    return switch (subcommand) {
      case "ls" ->
          throw new JobException("not an HDF5 file: file=" + ((LsOptions) options).whole().file());
      case "defined" -> 1;
      default -> 0;
    };
  }

  private int run(Launch launch, String... arguments) {
    CommandLine line = Skerry.commandLine(recording, launch);
    line.setErr(new PrintWriter(errors, true)).setOut(new PrintWriter(output, true));
    return line.execute(arguments);
  }

  @Test
  void lcls_without_options_generates_64_frames_of_one_megapixel() {
    assertEquals(0, run(ALONE, "lcls"));
    assertEquals(
        List.of(
            new LclsOptions(
                Ranks.of(1),
                new FrameSource.Synthetic(new FrameShape(64, 1024, 1024), 1),
                8,
                LclsOptions.Mode.POINTS,
                OptionalInt.empty(),
                LclsOptions.Placement.ONE_FILE,
                Path.of("lcls.h5"),
                LclsOptions.ReportFormat.TABLE,
                Optional.empty(),
                LclsOptions.Progress.BAR,
                ExistingOutput.KEPT,
                LclsOptions.Start.NEW)),
        asked);
  }

  @Test
  void lcls_accepts_every_option() {
    String line =
        "lcls --ranks 4 --mpi threads --input d/a:b.h5:/entry/data --mode roi --every 2 --split"
            + " --batch 3 --out c.h5 --json --png p.png --no-progress -v --resume --force";
    assertEquals(0, run(ALONE, line.split(" ")));
    assertEquals(
        List.of(
            new LclsOptions(
                Ranks.of(4),
                new FrameSource.InFile(Path.of("d/a:b.h5"), Trust.SAME_FOLDER, "/entry/data"),
                3,
                LclsOptions.Mode.ROI,
                OptionalInt.of(2),
                LclsOptions.Placement.SPLIT,
                Path.of("c.h5"),
                LclsOptions.ReportFormat.JSON,
                Optional.of(Path.of("p.png")),
                LclsOptions.Progress.NONE,
                ExistingOutput.REPLACED,
                LclsOptions.Start.RESUMED)),
        asked);
  }

  @Test
  void synthetic_frames_have_the_given_shape_and_seed() {
    assertEquals(0, run(ALONE, "lcls", "--synthetic", "5x6x7", "--seed=-9"));
    var options = (LclsOptions) asked.getFirst();
    assertEquals(new FrameSource.Synthetic(new FrameShape(5, 6, 7), -9), options.source());
  }

  @Test
  void split_events_are_stored_next_to_the_output() {
    run(ALONE, "lcls", "--split", "--out", "d/x.y.h5");
    assertEquals(Path.of("d/x.y.events.h5"), ((LclsOptions) asked.getLast()).eventsFile());
    run(ALONE, "lcls", "--split", "--out", "plain");
    assertEquals(Path.of("plain.events.h5"), ((LclsOptions) asked.getLast()).eventsFile());
    run(ALONE, "lcls", "--out", "x.h5");
    assertEquals(Path.of("x.h5"), ((LclsOptions) asked.getLast()).eventsFile());
  }

  @Test
  void wrong_arguments_return_2_with_one_line_and_a_hint() {
    String[] wrong = {
      "lcls --ranks 0",
      "lcls --ranks x",
      "lcls --batch 0",
      "lcls --every -1",
      "lcls --mode some",
      "lcls --synthetic 1x2",
      "lcls --synthetic 0x2x2",
      "lcls --synthetic 1x65536x65536",
      "lcls --input nopath.h5",
      "lcls --input :/x",
      "lcls --input f:/",
      "lcls more",
      "lcls --input f:/x --synthetic 1x1x1",
      "lcls --input f:/x --seed 1",
      "ls",
      "ls a b",
      "ls f --xml",
      "lcls --out .",
      "lcls --out d/..",
      "lcls --out /",
      "lcls --png .",
      "lcls --ranks",
      "lcls --ranks 99999999999",
      "lcls --every 1.5",
      "lcls --synthetic 1x2147483648x1",
      "defined f",
      "defined f relative",
      "defined f /x --count --json",
      "defined f /x 0:1 0:2",
      "pca",
      "pca f.h5",
      "pca f.h5:/",
      "pca f:/p --components 0",
      "pca f:/p --components many",
      "pca f:/p --undefined inf",
      "pca f:/p --ranks 0",
      "pca f:/p --png d/..",
      "frobnicate",
      "",
    };
    for (String line : wrong) {
      errors.getBuffer().setLength(0);
      assertEquals(2, run(ALONE, line.isEmpty() ? new String[0] : line.split(" ")), line);
      String[] lines = errors.toString().split(System.lineSeparator());
      assertEquals(2, lines.length, line + " printed " + errors);
      assertTrue(lines[0].startsWith("skerry: "), lines[0]);
      assertTrue(lines[1].startsWith("Try './skerry"), lines[1]);
    }
    assertEquals(List.of(), asked);
  }

  @Test
  void defined_accepts_a_selection_and_one_form_of_output() {
    Path file = Path.of("f.h5");
    assertEquals(1, run(ALONE, "defined", "f.h5", "/a"));
    assertEquals(1, run(ALONE, "defined", "f.h5", "/a", "0:4,:,1", "--count"));
    assertEquals(1, run(ALONE, "defined", "--coordinates", "f.h5", "/a"));
    assertEquals(1, run(ALONE, "defined", "--json", "f.h5", "/a"));
    assertEquals(
        List.of(
            new DefinedOptions(
                file, Trust.SAME_FOLDER, "/a", Optional.empty(), DefinedOptions.Output.SUMMARY),
            new DefinedOptions(
                file, Trust.SAME_FOLDER, "/a", Optional.of("0:4,:,1"), DefinedOptions.Output.COUNT),
            new DefinedOptions(
                file, Trust.SAME_FOLDER, "/a", Optional.empty(), DefinedOptions.Output.COORDINATES),
            new DefinedOptions(
                file, Trust.SAME_FOLDER, "/a", Optional.empty(), DefinedOptions.Output.JSON)),
        asked);
  }

  @Test
  void pca_computes_four_centered_components_by_default() {
    assertEquals(0, run(ALONE, "pca", "a.h5:/e/p"));
    String line =
        "pca a.h5:/p --components 7 --no-center --undefined -0.5 --out b.h5 --png c.png --ranks 3"
            + " --mpi threads -v --json --force";
    assertEquals(0, run(ALONE, line.split(" ")));
    assertEquals(
        List.of(
            new PcaOptions(
                Ranks.of(1),
                Path.of("a.h5"),
                Trust.SAME_FOLDER,
                "/e/p",
                4,
                Centering.MEAN,
                OptionalDouble.empty(),
                Path.of("pca.h5"),
                Optional.empty(),
                ExistingOutput.KEPT,
                ReportForm.TEXT),
            new PcaOptions(
                Ranks.of(3),
                Path.of("a.h5"),
                Trust.SAME_FOLDER,
                "/p",
                7,
                Centering.NONE,
                OptionalDouble.of(-0.5),
                Path.of("b.h5"),
                Optional.of(Path.of("c.png")),
                ExistingOutput.REPLACED,
                ReportForm.JSON)),
        asked);
  }

  @Test
  void a_failure_prints_one_line_and_returns_1() {
    assertEquals(1, run(ALONE, "ls", "f.txt"));
    assertEquals("skerry: not an HDF5 file: file=f.txt", errors.toString().strip());
  }

  @Test
  void a_rank_other_than_0_prints_its_number() {
    Launch third = Launch.of(Map.of("OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "4"));
    assertEquals(1, run(third, "ls", "f.txt"));
    assertEquals("skerry: rank=3: not an HDF5 file: file=f.txt", errors.toString().strip());
  }

  @Test
  void launchers_are_detected_by_their_environment() {
    assertEquals(new Launch(OptionalInt.empty(), OptionalInt.empty()), ALONE);
    assertTrue(ALONE.isFirst() && !ALONE.isLaunched());
    Launch pmix = Launch.of(Map.of("PMIX_RANK", "2"));
    assertTrue(pmix.isLaunched() && !pmix.isFirst());
    Launch batchStep = Launch.of(Map.of("SLURM_PROCID", "0", "PMI_RANK", ""));
    assertTrue(!batchStep.isLaunched());
    assertEquals(OptionalInt.of(8), Launch.of(Map.of("PMI_RANK", "0", "PMI_SIZE", "8")).size());
  }

  @Test
  void help_and_version_return_0_without_errors() {
    for (String line : new String[] {"--help", "lcls --help", "ls -h", "defined -h", "-V"}) {
      assertEquals(0, run(ALONE, line.split(" ")), line);
    }
    assertTrue(output.toString().contains("--synthetic"), output.toString());
    assertEquals("", errors.toString());
  }
}
