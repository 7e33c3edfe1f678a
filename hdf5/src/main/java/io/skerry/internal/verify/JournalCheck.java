package io.skerry.internal.verify;

import io.skerry.parallel.FoundJournal;
import io.skerry.parallel.FoundJournal.State;
import io.skerry.recovery.FileRecovery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/** Checks whether a journal of an interrupted flush exists next to a file. */
final class JournalCheck {
  private JournalCheck() {}

  /**
   * Returns whether a flush was interrupted while it replaced blocks; if so, reports the
   * interruption. This must be checked before the file is opened, because opening it may complete
   * the flush.
   */
  static boolean isMidFlush(Path path, Findings findings) {
    Optional<FoundJournal> found;
    try {
      found = FileRecovery.look(path);
    } catch (IllegalStateException e) {
      // A writer or a recovery has locked the file, so it cannot be determined whether a flush was
      // interrupted; none is reported.
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the journal cannot be read, " + e.getMessage() + " file=" + path, e);
    }
    Optional<FoundJournal> interrupted =
        found.filter(
            journal -> journal.state() == State.PENDING || journal.state() == State.REFUSED);
    interrupted.ifPresent(journal -> report(journal, findings));
    return interrupted.isPresent();
  }

  private static void report(FoundJournal journal, Findings findings) {
    findings.add(
        new Findings.Place(journal.foreign().orElse(0), "journal"),
        "a flush was interrupted",
        "a file that holds one flush",
        journal.state() == State.REFUSED
            ? "changes by another program, so that it cannot be finished"
            : "an interrupted flush, which skerry recover finishes");
  }
}
