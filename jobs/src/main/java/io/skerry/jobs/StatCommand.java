package io.skerry.jobs;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads the arguments of {@code skerry stat}. */
@Command(
    name = "stat",
    description = "Print what datasets take in a file, and what for.",
    footer = {
      "",
      "Of one dataset everything is printed, of a whole file one line for each. Breaks are chunks",
      "that do not begin where the one before ends, holes what lies between chunks. What a dense",
      "dataset would take is found by encoding up to 16 chunks again, with the filters of the",
      "values. Every chunk of a sparse dataset is looked at.",
      "",
      "Example: ./skerry stat hits.h5:/entry/events"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
final class StatCommand implements Callable<Integer> {
  private final Commands commands;

  @SuppressWarnings("NullAway.Init")
  @Parameters(paramLabel = "FILE[:/path]", description = "An HDF5 file, or a dataset in it.")
  private String place;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Mixin private HelpOption help = new HelpOption();

  StatCommand(Commands commands) {
    this.commands = commands;
  }

  @Override
  public Integer call() {
    FilePlace parsed = FilePlace.parse(place);
    return commands.stat(
        new StatOptions(parsed.file(), parsed.path(), json ? ReportForm.JSON : ReportForm.TEXT));
  }
}
