package io.skerry.jobs.command;

import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.pca.Centering;
import io.skerry.jobs.pca.PcaOptions;
import io.skerry.jobs.report.ReportForm;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads the arguments of {@code skerry pca}. */
@Command(
    name = "pca",
    description = "Find the leading principal components of a stack of frames, sparse or dense.",
    footer = {
      "",
      "OUT is a new file (--force replaces one) with /components (K, rows, columns), /scores",
      "(frames, K), /explained_variance and /explained_variance_ratio (K) and /mean (rows, columns).",
      "The largest element of a component is positive; a component without variance is zero.",
      "",
      "The BLAS and LAPACK of the machine are used if installed, else implementations in Java.",
      "",
      "Example: ./skerry pca hits.h5:/entry/events --components 6 --png hits.png --ranks 2"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class PcaCommand implements Callable<Integer> {
  private final ToIntFunction<PcaOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      paramLabel = "FILE:/path",
      description = "A dataset of three dimensions: frames, rows, columns.")
  private String in;

  @Option(
      names = "--components",
      paramLabel = "K",
      description = "Number of components (default: ${DEFAULT-VALUE}).")
  private int components = 4;

  @Option(
      names = "--no-center",
      description = "Do not subtract the mean frame: find the singular vectors of the frames.")
  private boolean uncentered;

  @Option(
      names = "--undefined",
      paramLabel = "VALUE",
      description = "Value of undefined pixels (default: the fill value of the dataset).")
  private Optional<Double> undefined = Optional.empty();

  @Option(
      names = "--out",
      paramLabel = "OUT",
      description = "Output file (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("pca.h5");

  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = "Draw the components and their share of the variance.")
  private Optional<Path> png = Optional.empty();

  @Mixin private RankOptions parallel = new RankOptions();

  @Mixin private IoRankOption serving = new IoRankOption();

  @Option(names = "--json", description = "Report as one JSON object.")
  private boolean json;

  @Mixin private ForceOption force = new ForceOption();

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  public PcaCommand(ToIntFunction<PcaOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(options());
  }

  private PcaOptions options() {
    try {
      ObjectArgument place = ObjectArgument.parse("dataset", in);
      return new PcaOptions(
          serving.ranks(parallel, out, place.file()),
          place.file(),
          trusting.trust(),
          place.path(),
          components,
          uncentered ? Centering.NONE : Centering.MEAN,
          undefined.map(OptionalDouble::of).orElse(OptionalDouble.empty()),
          out,
          png,
          force.existing(),
          json ? ReportForm.JSON : ReportForm.TEXT);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
