package io.skerry.jobs;

import picocli.CommandLine.Command;

/** Reads the arguments of {@code skerry recover}. */
@Command(
    name = "recover",
    description = "Finish or discard the flush in which the writer of a file was killed.",
    footer = {
      "",
      "Brings the file to the state of exactly one flush: the last one that ended, or",
      "the one that was under way. Uses the journal FILE.journal and removes it.",
      "Opening the file with skerry does the same; other programs need this first. It",
      "may be repeated at any time.",
      "",
      "Refused, with nothing changed, while a rank of the writer lives, and if another",
      "program has changed what the flush was to replace.",
      "",
      "Exit codes: 0 the file holds one flush, 1 it does not or nobody can tell, 2",
      "wrong arguments."
    })
final class RecoverCommand extends FileReportCommand {
  RecoverCommand(Commands commands) {
    super(commands::recover);
  }
}
