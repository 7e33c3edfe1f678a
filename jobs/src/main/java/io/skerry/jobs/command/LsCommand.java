package io.skerry.jobs.command;

import io.skerry.jobs.inspect.LsOptions;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reads the arguments of {@code skerry ls}. */
@Command(
    name = "ls",
    description = "Print the tree of a file: shapes, types, layouts, filters, defined counts.")
@SuppressWarnings("UnusedVariable") // picocli writes the field
public final class LsCommand extends WholeFileCommand {
  private final ToIntFunction<LsOptions> handler;

  @Option(
      names = "--live",
      description = "Print the last flush of a file that another program is writing.")
  private boolean live;

  public LsCommand(ToIntFunction<LsOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(
        new LsOptions(
            asked(), live ? LsOptions.Reading.NEWEST_EPOCH : LsOptions.Reading.WHOLE_FILE));
  }
}
