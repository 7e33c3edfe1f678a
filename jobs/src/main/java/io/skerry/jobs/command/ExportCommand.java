package io.skerry.jobs.command;

import io.skerry.jobs.argument.FilterSyntax;
import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.interchange.ExportOptions;
import io.skerry.jobs.interchange.InterchangeForm;
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

/** Reads the arguments of {@code skerry export}. */
@Command(
    name = "export",
    description = "Write the defined elements of a dataset in a form that other programs read.",
    footer = {
      "",
      "csr, csc  a group with data, indices and indptr as in AnnData, for two dimensions",
      "coo       a group with data and coords, one row of coords for each dimension",
      "dense     a dataset with the fill value where no element is defined, and a dataset of booleans",
      "          NAME-defined next to it if a defined element has the fill value",
      "mtx       Matrix Market coordinate text, for two dimensions",
      "",
      "An HDF5 file OUT is created if it does not exist; otherwise the export is added to it, and a",
      "name that exists is refused. A text file OUT that exists is refused without --force. Without a",
      "path, csr, csc and coo are written to the root of a new file, dense to the path of the dataset.",
      "",
      "Examples: ./skerry export hits.h5:/entry/events frame5.h5 --as csr --selection 5,:,:",
      "          ./skerry export counts.h5:/counts counts.mtx --as mtx"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class ExportCommand implements Callable<Integer> {
  private final ToIntFunction<ExportOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(index = "0", paramLabel = "IN:/path", description = "The dataset to export.")
  private String in;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      index = "1",
      paramLabel = "OUT[:/path]",
      description = "An HDF5 file and the group or dataset to create in it, or a text file.")
  private String out;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--as",
      required = true,
      paramLabel = "FORM",
      description = "One of csr, csc, coo, dense, mtx.")
  private InterchangeForm form;

  @Option(
      names = "--selection",
      paramLabel = "SELECTION",
      description =
          "The part of the dataset to export, one part per dimension, as in dump; a dimension with a"
              + " single INDEX is dropped (default: the whole dataset).")
  private Optional<String> selection = Optional.empty();

  @Option(
      names = "--filter",
      paramLabel = "FILTERS",
      description = "Filters of the new datasets, as in repack (default: shuf+gzip=6).")
  private String filters = "shuf+gzip=6";

  @Option(names = "--json", description = "Report as one JSON object.")
  private boolean json;

  @Mixin private ForceOption force = new ForceOption();

  @Mixin private LimitOption limited = new LimitOption();

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  public ExportCommand(ToIntFunction<ExportOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(options());
  }

  private ExportOptions options() {
    try {
      ObjectArgument from = ObjectArgument.parse("dataset", in);
      return new ExportOptions(
          from.file(),
          trusting.trust(),
          from.path(),
          form.parseArgument(out),
          form,
          selection,
          limited.limit(),
          FilterSyntax.parse(filters),
          force.existing(),
          json ? ReportForm.JSON : ReportForm.TEXT);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
