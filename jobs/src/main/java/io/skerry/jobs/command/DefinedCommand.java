package io.skerry.jobs.command;

import io.skerry.jobs.inspect.DefinedOptions;
import io.skerry.jobs.inspect.DefinedOptions.Output;
import java.nio.file.Path;
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

/** Reads the arguments of {@code skerry defined}. */
@Command(
    name = "defined",
    description = "Print which elements of a dataset are defined.",
    footer = {
      "",
      "A selection has one part per dimension, separated by commas: INDEX, START:END,",
      "START:END:STEP, or : for the whole dimension; the end is exclusive.",
      "",
      "Example: ./skerry defined hits.h5 /entry/events 0:4,:,100:200:2 --count"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class DefinedCommand implements Callable<Integer> {
  private final ToIntFunction<DefinedOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "An HDF5 file, or a container iod:PATH.")
  private Path file;

  @SuppressWarnings("NullAway.Init")
  @Parameters(index = "1", paramLabel = "/path", description = "A dataset in it.")
  private String dataset;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "SELECTION",
      description = "The part of the dataset to examine (default: the whole dataset).")
  private Optional<String> selection = Optional.empty();

  @ArgGroup private Form form = new Form();

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  /** The form of the output: at most one of these options is given. */
  @SuppressWarnings("UnusedVariable") // picocli writes the fields
  static final class Form {
    @Option(names = "--count", description = "Print only the number of defined elements.")
    private boolean count;

    @Option(names = "--coordinates", description = "Print the coordinates, one element per line.")
    private boolean coordinates;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    Output output() {
      if (count) {
        return Output.COUNT;
      }
      if (coordinates) {
        return Output.COORDINATES;
      }
      return json ? Output.JSON : Output.SUMMARY;
    }
  }

  public DefinedCommand(ToIntFunction<DefinedOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    if (!dataset.startsWith("/")) {
      throw new ParameterException(spec.commandLine(), "not an absolute path: dataset=" + dataset);
    }
    return handler.applyAsInt(
        new DefinedOptions(file, trusting.trust(), dataset, selection, form.output()));
  }
}
