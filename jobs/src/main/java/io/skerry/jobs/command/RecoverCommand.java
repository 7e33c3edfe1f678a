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
      "Restores the file to the state of exactly one flush: the last complete flush, or",
      "the interrupted one. Uses the journal FILE.journal and removes it. Opening the",
      "file with skerry does the same; other programs need this command first. It may",
      "be repeated at any time.",
      "",
      "Refused without any change while a rank of the writer is running, and if another",
      "program has changed data that the flush was to replace.",
      "",
      "If the writer was killed while it replaced metadata, and the journal is lost,",
      "no program can open the file. --without-journal ends the flush where it stopped.",
      "The file may then hold parts of two flushes: keep a copy, and run skerry verify.",
      "",
      "Exit codes: 0 the file holds one flush, 1 it does not or its state is unknown,",
      "2 wrong arguments."
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class RecoverCommand extends WholeFileCommand {
  private final ToIntFunction<RecoverOptions> handler;

  @Option(
      names = "--without-journal",
      description = "The journal is lost: accept the content of the file as complete.")
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
