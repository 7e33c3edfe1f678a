package io.skerry.jobs.command;

import io.skerry.jobs.argument.FileArgument;
import io.skerry.jobs.inspect.DumpOptions;
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

/** Reads the arguments of {@code skerry dump}. */
@Command(
    name = "dump",
    description = "Print the values of a dataset or attribute.",
    footer = {
      "",
      "A selection has one part per dimension, separated by commas: INDEX, START:END,",
      "START:END:STEP, or : for the whole dimension; the end is exclusive. Compounds are printed as",
      "{name: value}, sequences as (value), arrays as [value], references as the path of their",
      "target, undefined elements of a sparse dataset as - (in JSON: null).",
      "",
      "Example: ./skerry dump hits.h5:/entry/data --selection 0:4,:"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class DumpCommand implements Callable<Integer> {
  private final ToIntFunction<DumpOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      paramLabel = "FILE[:/path]",
      description =
          "An HDF5 file or container iod:PATH, and a dataset in it, or the object that has the"
              + " attribute.")
  private String place;

  @Option(
      names = "--selection",
      paramLabel = "SELECTION",
      description = "The part of the dataset to print (default: the whole dataset).")
  private Optional<String> selection = Optional.empty();

  @Option(
      names = "--attribute",
      paramLabel = "NAME",
      description = "Print this attribute of the object.")
  private Optional<String> attribute = Optional.empty();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Mixin private RankOptions parallel = new RankOptions();

  @Mixin private IoRankOption serving = new IoRankOption();

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  public DumpCommand(ToIntFunction<DumpOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    if (selection.isPresent() && attribute.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "an attribute is printed whole: attribute=" + attribute.get());
    }
    FileArgument parsed = FileArgument.parse(place);
    return handler.applyAsInt(
        new DumpOptions(
            serving.ranks(parallel, parsed.file()),
            parsed.file(),
            trusting.trust(),
            parsed.path().orElse("/"),
            selection,
            attribute,
            json ? ReportForm.JSON : ReportForm.TEXT));
  }
}
