package io.skerry.jobs.command;

import io.skerry.jobs.file.WholeFileOptions;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;

/** Reads the arguments of {@code skerry ls}. */
@Command(
    name = "ls",
    description = "Print the tree of a file: shapes, types, layouts, filters, defined counts.")
public final class LsCommand extends WholeFileCommand {
  private final ToIntFunction<WholeFileOptions> handler;

  public LsCommand(ToIntFunction<WholeFileOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(asked());
  }
}
