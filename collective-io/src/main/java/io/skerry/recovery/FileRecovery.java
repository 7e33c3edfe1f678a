package io.skerry.recovery;

import io.skerry.collective.multifile.MultifileSearch;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.Locking;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finishes or discards a flush that a kill interrupted. Opening a file does the same; this is for
 * who wants to know what was done, or wants other programs to read the file. Locks are those of the
 * {@linkplain Locking#ofProcess process}.
 */
public final class FileRecovery {
  private FileRecovery() {}

  /**
   * Brings a file to the state of exactly one flush: the last one acknowledged, or the one after.
   * May be repeated, and be interrupted itself. Local; one process does it, when no writer lives.
   *
   * @param path a file, or what stands for several: the pattern of a family, its first member, or
   *     the common name of a multi file. Their journal is beside the one with the superblock.
   * @return what was found and dealt with; nothing if there is no such file
   * @throws IllegalStateException if a writer has the file open
   * @throws CommitException if another program changed the file since, naming file and address
   */
  public static Optional<FoundJournal> recover(Path path) throws IOException {
    Optional<Path> file = MultifileSearch.withSuperblock(path);
    return file.isPresent()
        ? Optional.of(JournalRecovery.recover(file.get(), Locking.ofProcess()))
        : Optional.empty();
  }

  /**
   * Opens a file again whose writer was killed while it replaced blocks, and whose journal is lost.
   * The file may hold parts of two flushes from then on; {@code verify} finds those that do not fit
   * together, and others stay unnoticed. Local; one process does it.
   *
   * @param path as {@link #recover} has it
   * @return the file; nothing if there is none
   * @throws IllegalStateException if a writer has the file open, if a journal with content is
   *     beside it, or if no flush ended in the middle
   */
  public static Optional<Path> withoutJournal(Path path) throws IOException {
    Optional<Path> file = MultifileSearch.withSuperblock(path);
    if (file.isPresent()) {
      JournalRecovery.withoutJournal(file.get(), Locking.ofProcess());
    }
    return file;
  }

  /** As {@link #recover}, for a process that will only read the file with these locks. */
  public static void forReading(Path path, Locking locking) throws IOException {
    Optional<Path> file = MultifileSearch.withSuperblock(path);
    if (file.isPresent()) {
      var unused = JournalRecovery.recoverForReading(file.get(), locking);
    }
  }

  /** As {@link #recover}, for a process that will write to the file with these locks. */
  public static void forWriting(Path path, Locking locking) throws IOException {
    Optional<Path> file = MultifileSearch.withSuperblock(path);
    if (file.isPresent()) {
      var unused = JournalRecovery.recover(file.get(), locking);
    }
  }

  /**
   * Removes the journal of a file that is about to be replaced, whatever is in it: it says nothing
   * of the file to come. Local; one process does it.
   *
   * @throws IllegalStateException if a writer has the file open
   */
  public static void forget(Path path) throws IOException {
    JournalRecovery.forget(path, Locking.ofProcess());
  }

  /**
   * What {@link #recover} would find. Changes nothing. Local.
   *
   * @return nothing if there is no such file
   * @throws IllegalStateException if a writer has the file open
   */
  public static Optional<FoundJournal> look(Path path) throws IOException {
    Optional<Path> file = MultifileSearch.withSuperblock(path);
    return file.isPresent()
        ? Optional.of(JournalRecovery.look(file.get(), Locking.ofProcess()))
        : Optional.empty();
  }
}
