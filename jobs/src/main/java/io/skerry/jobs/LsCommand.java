package io.skerry.jobs;

import picocli.CommandLine.Command;

/** Reads the arguments of {@code skerry ls}. */
@Command(
    name = "ls",
    description = "Print the tree of a file: shapes, types, layouts, filters, defined counts.")
final class LsCommand extends FileReportCommand {
  LsCommand(Commands commands) {
    super(commands::ls);
  }
}
