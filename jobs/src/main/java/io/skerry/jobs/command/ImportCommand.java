package io.skerry.jobs.command;

import io.skerry.jobs.argument.FileArgument;
import io.skerry.jobs.argument.FilterSyntax;
import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.argument.StorageRule;
import io.skerry.jobs.interchange.ImportOptions;
import io.skerry.jobs.interchange.InterchangeForm;
import io.skerry.jobs.interchange.form.NumberText;
import io.skerry.jobs.report.ReportForm;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads the arguments of {@code skerry import}. */
@Command(
    name = "import",
    description = "Create a sparse dataset from data in another form.",
    footer = {
      "",
      "csr, csc  a group of AnnData, or of 10x Cell Ranger (csc) without its features and barcodes",
      "coo       a group as written by skerry export",
      "dense     a dataset; its mask says which elements are defined, or else all that differ from the",
      "          fill value",
      "mtx       Matrix Market coordinate text of any field and symmetry",
      "",
      "An element that is listed twice is an error. OUT is created if it does not exist; otherwise the",
      "dataset is added to it, and a path that exists is refused.",
      "",
      "Examples: ./skerry import filtered.h5:/matrix counts.h5:/counts --from csc",
      "          ./skerry import run.h5:/image hits.h5:/hits --from dense --undefined 0"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class ImportCommand implements Callable<Integer> {
  private final ToIntFunction<ImportOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      index = "0",
      paramLabel = "IN[:/path]",
      description = "A group or dataset in an HDF5 file (default: its root), or a text file.")
  private String in;

  @SuppressWarnings("NullAway.Init")
  @Parameters(index = "1", paramLabel = "OUT:/path", description = "The sparse dataset.")
  private String out;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--from",
      required = true,
      paramLabel = "FORM",
      description = "One of csr, csc, coo, dense, mtx.")
  private InterchangeForm form;

  @Option(
      names = "--chunk",
      paramLabel = "SHAPE",
      description = "Chunk shape, sizes joined by x (default: chosen automatically).")
  private Optional<String> chunk = Optional.empty();

  @Option(
      names = "--undefined",
      paramLabel = "VALUE",
      description = "For dense: the value that marks an undefined element, as in convert.")
  private Optional<String> undefined = Optional.empty();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "For mtx: type of the elements, such as u16, f32, i64be or complex64 (default: as the text"
              + " says, or else 64 bits).")
  private Optional<String> type = Optional.empty();

  @Option(
      names = "--filter",
      paramLabel = "FILTERS",
      description = "Filters of the dataset, as in repack (default: shuf+gzip=6).")
  private String filters = "shuf+gzip=6";

  @Option(names = "--json", description = "Report as one JSON object.")
  private boolean json;

  @Mixin private LimitOption limited = new LimitOption();

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  public ImportCommand(ToIntFunction<ImportOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(options());
  }

  private ImportOptions options() {
    try {
      FileArgument from = form.parseArgument(in);
      ObjectArgument to = ObjectArgument.parse("dataset", out);
      if (form == InterchangeForm.DENSE && from.path().isEmpty()) {
        throw new IllegalArgumentException("not FILE:/path: dataset=" + in);
      }
      if (form != InterchangeForm.DENSE && undefined.isPresent()) {
        throw new IllegalArgumentException("only of dense data: undefined=" + undefined.get());
      }
      if (type.isPresent()
          && (form != InterchangeForm.MTX || NumberText.typeOf(type.get()).isEmpty())) {
        throw new IllegalArgumentException("no type of numbers in a text: type=" + type.get());
      }
      return new ImportOptions(
          from,
          trusting.trust(),
          form,
          to.file(),
          to.path(),
          chunk.map(StorageRule::sizes),
          undefined,
          type,
          limited.limit(),
          FilterSyntax.parse(filters),
          json ? ReportForm.JSON : ReportForm.TEXT);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
