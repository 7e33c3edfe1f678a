package io.skerry.jobs.command;

import io.skerry.jobs.argument.FileArgument;
import io.skerry.jobs.follow.FollowOptions;
import io.skerry.jobs.report.ReportForm;
import java.nio.file.Path;
import java.time.Duration;
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

/** Reads the arguments of {@code skerry follow}. */
@Command(
    name = "follow",
    description = "Print what is new in a file at each flush, while another program writes it.",
    footer = {
      "",
      "The writer must open the file with FileOptions.live(). Without a dataset, the command prints",
      "new and removed objects, and those whose shape, number of defined elements or number of",
      "attributes has changed. It ends when the writer closes the file.",
      "",
      "Example: ./skerry follow hits.h5:/entry/events --json"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class FollowCommand implements Callable<Integer> {
  /** The maximum time in seconds. */
  private static final long LONGEST = 1_000_000_000;

  private final ToIntFunction<FollowOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      index = "0",
      paramLabel = "FILE[:/path]",
      description = "An HDF5 file, and a dataset in it.")
  private String what;

  @Option(names = "--json", description = "Print one JSON object per epoch.")
  private boolean json;

  @Option(
      names = "--values",
      paramLabel = "N",
      description = "Print the first N values of the newest frame (default: 0).")
  private int values;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "End after N epochs (default: when the writer closes the file).")
  private long epochs = Long.MAX_VALUE;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "Fail if the file or the next flush does not come in time (default: 3600).")
  private long wait = 3600;

  @Option(names = "--png", paramLabel = "FILE", description = "Draw the newest frame.")
  private Optional<Path> png = Optional.empty();

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description = "Draw at most one frame in this time (default: 5).")
  private long every = 5;

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  public FollowCommand(ToIntFunction<FollowOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    require(values >= 0, "--values must be at least 0: " + values);
    require(epochs >= 1, "--epochs must be at least 1: " + epochs);
    require(wait >= 0 && wait <= LONGEST, "--wait must be 0 to " + LONGEST + ": " + wait);
    require(every >= 0 && every <= LONGEST, "--every must be 0 to " + LONGEST + ": " + every);
    FileArgument argument = FileArgument.parse(what);
    require(png.isEmpty() || argument.path().isPresent(), "--png needs FILE:/path: " + what);
    return handler.applyAsInt(
        new FollowOptions(
            argument,
            trusting.trust(),
            json ? ReportForm.JSON : ReportForm.TEXT,
            epochs,
            Duration.ofSeconds(wait),
            values,
            png.map(path -> new FollowOptions.Picture(path, Duration.ofSeconds(every)))));
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }
}
