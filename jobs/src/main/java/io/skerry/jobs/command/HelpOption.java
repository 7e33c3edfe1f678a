package io.skerry.jobs.command;

import picocli.CommandLine.Option;

/** The {@code --help} option of every command. */
@SuppressWarnings("UnusedVariable") // picocli writes the fields
final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;
}
