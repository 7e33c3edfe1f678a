package io.skerry.jobs.command;

import io.skerry.jobs.file.WholeFileOptions;
import io.skerry.jobs.integrity.VerifyOptions;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class VerifyCommand extends WholeFileCommand {
  private final ToIntFunction<VerifyOptions> handler;

  @Mixin private RankOptions parallel = new RankOptions();

  @Mixin private IoRankOption serving = new IoRankOption();

  public VerifyCommand(ToIntFunction<VerifyOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    WholeFileOptions file = asked();
    return handler.applyAsInt(new VerifyOptions(serving.ranks(parallel, file.file()), file));
  }
}
