package io.skerry.jobs.command;

import io.skerry.jobs.file.ExistingOutput;
import picocli.CommandLine.Option;

/** The {@code --force} option of commands whose output may replace a file. */
@SuppressWarnings("UnusedVariable") // picocli writes the field
final class ForceOption {
  @Option(
      names = "--force",
      description = "Replace an output file that exists; without this option it is refused.")
  private boolean force;

  /** Returns the treatment of an existing output file. */
  ExistingOutput existing() {
    return force ? ExistingOutput.REPLACED : ExistingOutput.KEPT;
  }
}
