package io.skerry.jobs.command;

import io.skerry.jobs.file.ExistingOutput;
import picocli.CommandLine.Option;

/** The option of commands whose output may replace a file. */
@SuppressWarnings("UnusedVariable") // picocli writes the field
final class ForceOption {
  @Option(
      names = "--force",
      description = "Replace files that exist where the output goes; refused without.")
  private boolean force;

  /** The treatment of a file that exists where an output goes. */
  ExistingOutput existing() {
    return force ? ExistingOutput.REPLACED : ExistingOutput.KEPT;
  }
}
