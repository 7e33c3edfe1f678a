package io.skerry.jobs.command;

import io.skerry.jobs.file.WholeFileOptions;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;

/** Reads the arguments of {@code skerry verify}. */
@Command(
    name = "verify",
    description = "Check every structure and every chunk of a file.",
    footer = {
      "",
      "Checks checksums, bounds, filters, references into heaps, and that no two structures",
      "overlap. Prints one line per finding: address, structure, object, error; then the use of",
      "the space of the file. Addresses are relative to the superblock.",
      "",
      "Exit codes: 0 the file is sound, 1 it is not, 2 wrong arguments."
    })
public final class VerifyCommand extends WholeFileCommand {
  private final ToIntFunction<WholeFileOptions> handler;

  public VerifyCommand(ToIntFunction<WholeFileOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(asked());
  }
}
