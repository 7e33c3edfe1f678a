package io.skerry.jobs.command;

import io.skerry.jobs.argument.FilterSyntax;
import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.argument.StorageRule;
import io.skerry.jobs.copy.ConvertOptions;
import io.skerry.jobs.report.ReportForm;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads the arguments of {@code skerry convert}. */
@Command(
    name = "convert",
    description = "Copy a dense dataset to sparse storage, or a sparse dataset to dense storage.",
    footer = {
      "",
      "With --sparse, elements equal to VALUE are left out; with --dense, undefined elements are set",
      "to VALUE. VALUE becomes the fill value of the copy, so that both datasets read the same. Its",
      "default is the fill value of the dataset. VALUE is a number, nan, a string, a name of an",
      "enumeration, or for other types the bytes of an element as 0x and hexadecimal digits.",
      "",
      "OUT is created if it does not exist; otherwise the copy is added to it, and a path that exists",
      "is refused. Attributes are copied.",
      "",
      "Example: ./skerry convert run.h5:/entry/data hits.h5:/entry/hits --sparse 1x512x512"
          + " --undefined 0"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class ConvertCommand implements Callable<Integer> {
  private final ToIntFunction<ConvertOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(index = "0", paramLabel = "IN:/path", description = "The dataset to copy.")
  private String in;

  @SuppressWarnings("NullAway.Init")
  @Parameters(index = "1", paramLabel = "OUT:/path", description = "The copy.")
  private String out;

  @SuppressWarnings("NullAway.Init")
  @ArgGroup(multiplicity = "1")
  private Form form;

  @Option(
      names = "--undefined",
      paramLabel = "VALUE",
      description = "The value that marks an undefined element in dense storage.")
  private Optional<String> undefined = Optional.empty();

  @Option(
      names = "--chunk",
      paramLabel = "SHAPE",
      description = "Chunk shape of a dense copy, sizes joined by x (default: unchanged).")
  private Optional<String> chunk = Optional.empty();

  @Option(
      names = "--filter",
      paramLabel = "FILTERS",
      description = "Filters of the copy, as in repack (default: shuf+gzip=6).")
  private String filters = "shuf+gzip=6";

  @Mixin private RankOptions parallel = new RankOptions();

  @Mixin private IoRankOption serving = new IoRankOption();

  @Option(names = "--json", description = "Report as one JSON object.")
  private boolean json;

  @Mixin private LimitOption limited = new LimitOption();

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  /** The target storage: exactly one of these options is given. */
  @SuppressWarnings("UnusedVariable") // picocli writes the fields
  static final class Form {
    @Option(
        names = "--sparse",
        paramLabel = "CHUNK",
        description = "Copy to sparse storage with this chunk shape, sizes joined by x.")
    private Optional<String> sparse = Optional.empty();

    @Option(names = "--dense", description = "Copy to dense storage.")
    private boolean dense;
  }

  public ConvertCommand(ToIntFunction<ConvertOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(options());
  }

  private ConvertOptions options() {
    try {
      ObjectArgument from = ObjectArgument.parse("dataset", in);
      ObjectArgument to = ObjectArgument.parse("dataset", out);
      if (form.sparse.isPresent() && chunk.isPresent()) {
        throw new IllegalArgumentException(
            "--sparse gives the chunk shape already: chunk=" + chunk.get());
      }
      return new ConvertOptions(
          serving.ranks(parallel, to.file(), from.file()),
          from.file(),
          trusting.trust(),
          from.path(),
          to.file(),
          to.path(),
          form.dense ? ConvertOptions.Kind.DENSE : ConvertOptions.Kind.SPARSE,
          form.sparse.or(() -> chunk).map(StorageRule::sizes),
          undefined,
          limited.limit(),
          FilterSyntax.parse(filters),
          json ? ReportForm.JSON : ReportForm.TEXT);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
