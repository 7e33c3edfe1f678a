package io.skerry.jobs;

import picocli.CommandLine.Command;

/** Reads the arguments of {@code skerry digest}. */
@Command(
    name = "digest",
    description = "Print a digest of the content of every object, whatever its layout.",
    footer = {
      "",
      "Two files whose digests are equal hold the same values: layout, chunks, filters and",
      "byte order do not matter. Soft and external links are not followed."
    })
final class DigestCommand extends FileReportCommand {
  DigestCommand(Commands commands) {
    super(commands::digest);
  }
}
