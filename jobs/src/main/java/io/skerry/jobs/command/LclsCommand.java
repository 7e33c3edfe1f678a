package io.skerry.jobs.command;

import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.frame.FrameSource;
import io.skerry.jobs.lcls.LclsOptions;
import io.skerry.jobs.lcls.LclsOptions.Mode;
import io.skerry.jobs.lcls.LclsOptions.Placement;
import io.skerry.jobs.lcls.LclsOptions.Progress;
import io.skerry.jobs.lcls.LclsOptions.ReportFormat;
import io.skerry.jobs.lcls.LclsOptions.Start;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Reads the arguments of {@code skerry lcls}. */
@Command(
    name = "lcls",
    description =
        "Write detector frames to a sparse file on many ranks, read them back, print a report.",
    footer = {
      "",
      "An output file that exists is refused before anything is read, also with --resume; --force",
      "replaces it.",
      "",
      "The signal USR1 stops the run after the current batch and keeps the stored data for"
          + " --resume.",
      "",
      "Exit code: 0 verified or stopped by USR1, 1 not verified or failed, 2 wrong arguments.",
      "",
      "Example: ./skerry lcls --ranks 4 --input run.h5:/entry/data/images --every 10 --out hits.h5"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class LclsCommand implements Callable<Integer> {
  private final ToIntFunction<LclsOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private RankOptions parallel = new RankOptions();

  @Mixin private IoRankOption serving = new IoRankOption();

  @Option(
      names = "--input",
      paramLabel = "FILE:/path",
      description = "Read frames from this dataset of three dimensions: frames, rows, columns.")
  private Optional<String> input = Optional.empty();

  @Option(
      names = "--synthetic",
      paramLabel = "FxRxC",
      description = "Generate F frames of R rows and C columns of u16 (default: 64x1024x1024).")
  private Optional<String> synthetic = Optional.empty();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of synthetic frames (default: 1).")
  private Optional<Long> seed = Optional.empty();

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Frames per rank between two flushes (default: 8).")
  private int batch = 8;

  @Option(
      names = "--mode",
      paramLabel = "points|roi",
      description =
          "Keep the 50 to 100 strongest spots of a frame, or one rectangle of about a tenth of its"
              + " pixels around the brightest region (default: points).")
  private Mode mode = Mode.POINTS;

  @Option(
      names = "--every",
      paramLabel = "N",
      description = "Also store every N-th full frame, readable by HDF5 1.10 and later.")
  private Optional<Integer> every = Optional.empty();

  @Option(
      names = "--split",
      description =
          "Store the sparse data in X.events.h5 and link to it, for tools that fail on a file with"
              + " an unknown layout in it.")
  private boolean split;

  @Option(
      names = "--files-per-rank",
      description =
          "Write one file per rank, X.0.h5, X.1.h5, ..., each without the other ranks, and the file"
              + " X.h5 with virtual datasets that present them as one. Not with --split or"
              + " --resume; the signal USR1 ends such a run without output.")
  private boolean filesPerRank;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Output file, or a container iod:PATH (default: lcls.h5).")
  private Path out = Path.of("lcls.h5");

  @Option(names = "--json", description = "Report as one JSON object.")
  private boolean json;

  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = "Draw one frame next to the pixels kept of it.")
  private Optional<Path> png = Optional.empty();

  @Option(names = "--no-progress", description = "Draw no progress bar.")
  private boolean noProgress;

  @Option(
      names = "--resume",
      description =
          "Continue a run with the same options that was stopped by the signal USR1, or killed; its"
              + " data is in the folder FILE.partial. --ranks and --batch may differ.")
  private boolean resume;

  @Mixin private ForceOption force = new ForceOption();

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  public LclsCommand(ToIntFunction<LclsOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(options());
  }

  private LclsOptions options() {
    if (input.isPresent() && (synthetic.isPresent() || seed.isPresent())) {
      throw refusal("--input reads frames, --synthetic and --seed make them: give one");
    }
    if (split && filesPerRank) {
      throw refusal("--split and --files-per-rank are two ways to divide the output: give one");
    }
    try {
      FrameSource source = source();
      Path in = source instanceof FrameSource.InFile(Path file, Trust _, String _) ? file : out;
      return new LclsOptions(
          serving.ranks(parallel, out, in),
          source,
          batch,
          mode,
          every.map(OptionalInt::of).orElse(OptionalInt.empty()),
          placement(),
          out,
          json ? ReportFormat.JSON : ReportFormat.TABLE,
          png,
          noProgress ? Progress.NONE : Progress.BAR,
          force.existing(),
          resume ? Start.RESUMED : Start.NEW);
    } catch (IllegalArgumentException e) {
      throw refusal(String.valueOf(e.getMessage()));
    }
  }

  private Placement placement() {
    if (filesPerRank) {
      return Placement.FILE_PER_RANK;
    }
    return split ? Placement.SPLIT : Placement.ONE_FILE;
  }

  private FrameSource source() {
    if (input.isPresent()) {
      return FrameSource.InFile.parse(input.get(), trusting.trust());
    }
    return new FrameSource.Synthetic(
        FrameShape.parse(synthetic.orElse("64x1024x1024")), seed.orElse(1L));
  }

  private ParameterException refusal(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
