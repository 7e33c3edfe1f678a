package io.skerry.jobs.command;

import io.skerry.jobs.integrity.RecoverOptions;
import io.skerry.jobs.integrity.RecoverOptions.Journal;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
      "If the writer was killed while it replaced metadata, and the journal is lost,",
      "no program opens the file. --without-journal ends the flush where it stopped:",
      "the file may hold parts of two flushes then, so keep a copy, and run skerry",
      "verify.",
      "",
      "Exit codes: 0 the file holds one flush, 1 it does not or nobody can tell, 2",
      "wrong arguments."
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class RecoverCommand extends WholeFileCommand {
  private final ToIntFunction<RecoverOptions> handler;

  @Option(
      names = "--without-journal",
      description = "The journal is lost: take what is in the file for whole.")
  private boolean withoutJournal;

  public RecoverCommand(ToIntFunction<RecoverOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(
        new RecoverOptions(asked(), withoutJournal ? Journal.LOST : Journal.FOUND));
  }
}
