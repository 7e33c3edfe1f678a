package io.skerry.jobs.pca;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.internal.concurrent.Watchdog;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** Writes the principal components of a stack of frames to a file. Collective. */
final class PcaJob {
  /**
   * The time after which the watchdog reports a waiting rank. It is long because rank 0 alone
   * computes the eigenvalues while the other ranks wait.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final PcaOptions options;
  private final MemoryBudget budget;
  private final Map<String, String> environment;
  private final Callable<LinearAlgebra> loading;

  PcaJob(PcaOptions options, MemoryBudget budget, Map<String, String> environment) {
    this(options, budget, environment, LinearAlgebra::load);
  }

  /**
   * Creates a job.
   *
   * @param loading the function that loads the linear algebra libraries of this rank
   */
  PcaJob(
      PcaOptions options,
      MemoryBudget budget,
      Map<String, String> environment,
      Callable<LinearAlgebra> loading) {
    this.options = options;
    this.budget = budget;
    this.environment = environment;
    this.loading = loading;
  }

  /**
   * Runs the job. Collective over {@code world}.
   *
   * @return the report, identical on all ranks
   */
  Json.Members run(Communicator world) {
    InputFile.check(options.in(), world);
    OutputPlace place =
        new OutputPlace(
            options.out(),
            List.of(),
            options.picture(),
            InputFile.members(options.in()),
            options.existing());
    return OutputFile.run(
        place,
        world,
        (ranks, made) ->
            Agreement.using(
                ranks,
                InputFile.open(options.in(), ranks, options.trust()),
                H5File::close,
                source -> run(source, made, ranks)));
  }

  private Json.Members run(H5File source, OutputPlace place, Communicator ranks) {
    try (Watchdog watchdog = new Watchdog(ranks.rank(), System.err, PATIENCE)) {
      return Agreement.using(
          ranks,
          ranks.duplicate(),
          Communicator::close,
          own -> run(source, place, own, new Agreement(own, watchdog, options.in())));
    }
  }

  private Json.Members run(
      H5File source, OutputPlace place, Communicator ranks, Agreement agreement) {
    if (options.picture().isPresent()) {
      agreement.first("looking for a font", PcaJob::checkFont);
    }
    H5Object object = source.object(options.dataset());
    agreement.first("looking at the input", () -> place.checkRead(object));
    FrameStack stack = agreement.each("looking at the input", () -> FrameStack.of(object, options));
    LinearAlgebra algebra = agreement.each("loading BLAS and LAPACK", loading);
    // The nodes may have different libraries, but all ranks must write the same attribute.
    String library = new String(ranks.broadcast(algebra.names().getBytes(UTF_8), 0), UTF_8);
    PcaAnalysis analysis =
        new PcaAnalysis(
            stack,
            options.components(),
            options.centering(),
            ranks,
            agreement,
            budget,
            algebra,
            phase -> progress(phase, stack, ranks));
    PcaResult result = analysis.run();
    ComponentFile components = new ComponentFile(options, stack, ranks);
    boolean unused =
        OutputFile.create(
            place,
            ranks,
            file -> {
              components.write(file, result, analysis.local(), library);
              return true;
            });
    if (options.picture().isPresent()) {
      agreement.first("drawing", () -> draw(result, stack, place));
    }
    return report(stack, analysis, result, library, ranks);
  }

  private static void checkFont() {
    try {
      ComponentPicture.checkFont();
    } catch (LinkageError | InternalError | RuntimeException e) {
      throw new JobException(
          "no font is installed: install fontconfig and fonts-dejavu-core, or leave out --png:"
              + " cause="
              + e,
          e);
    }
  }

  /** Creates a progress display for a phase. Its total is the average number of frames per rank. */
  private ProgressDisplay progress(String phase, FrameStack stack, Communicator ranks) {
    return ProgressDisplay.ofFrames(
        phase, stack.shape().frames() / ranks.size(), ranks.rank(), environment);
  }

  private void draw(PcaResult result, FrameStack stack, OutputPlace place) {
    FrameShape shape = stack.shape();
    ComponentPicture picture = new ComponentPicture(shape.rows(), shape.columns());
    for (int i = 0; i < Math.min(options.components(), ComponentPicture.MOST); i++) {
      picture.add(result.frame(i, shape.framePixels()), result.spectrum().ratio(i));
    }
    double[] ratios = new double[result.spectrum().values().length];
    Arrays.setAll(ratios, result.spectrum()::ratio);
    picture.write(ratios, place.pictureFile());
  }

  private Json.Members report(
      FrameStack stack,
      PcaAnalysis analysis,
      PcaResult result,
      String library,
      Communicator ranks) {
    FrameShape shape = stack.shape();
    Json.Members report =
        Json.object()
            .with("in", options.in() + ":" + options.dataset())
            .with("out", options.out().toString())
            .with("ranks", ranks.size())
            .with("frames", shape.frames())
            .with("rows", shape.rows())
            .with("columns", shape.columns())
            .with("values", analysis.values())
            .with("pixels", result.pixels().size())
            .with("gram", analysis.gram().name().toLowerCase(Locale.ROOT))
            .with("rounds", analysis.rounds())
            .with("centering", options.centering().text())
            .with("library", library)
            .with("rank", result.spectrum().rank(options.components()))
            .with("explainedVariance", numbers(result.variances()))
            .with("explainedVarianceRatio", numbers(result.ratios()));
    return options.picture().map(path -> report.with("picture", path.toString())).orElse(report);
  }

  private static Json numbers(double[] values) {
    List<Json> items = Arrays.stream(values).<Json>mapToObj(Json.Real::new).toList();
    return new Json.Items(items);
  }
}
