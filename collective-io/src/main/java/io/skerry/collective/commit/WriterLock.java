package io.skerry.collective.commit;

import io.skerry.parallel.Locking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * What keeps other programs from a file while ranks have it open for writing: a lock on its
 * journal. Every rank has its own, because each may outlive the others and still have a write under
 * way. It is taken before anything of the file is read: what another program commits in between
 * would be overwritten by who knows the file as it was before.
 */
public final class WriterLock implements AutoCloseable {
  private final JournalFile journal;
  private final int rank;
  private boolean kept;

  private WriterLock(JournalFile journal, int rank) {
    this.journal = journal;
    this.rank = rank;
  }

  /**
   * Takes a file that is recovered, or about to be created. Local.
   *
   * @throws IllegalStateException if another program has the file, or had it since it was recovered
   *     and did not end its last commit
   * @throws IOException if the file system does not lock files, and locks are required, or if
   *     something that is no journal has its name
   */
  public static WriterLock take(Path file, int rank, Locking locking) throws IOException {
    JournalFile journal = JournalFile.open(file);
    boolean taken = false;
    try {
      journal.join(rank, locking);
      if (!journal.isEmpty()) {
        throw new IllegalStateException(
            "another program has begun to change the file meanwhile; open it again: journal="
                + journal.path());
      }
      taken = true;
      return new WriterLock(journal, rank);
    } finally {
      if (!taken) {
        journal.close();
      }
    }
  }

  JournalFile journal() {
    return journal;
  }

  /** Lets the journal stay: the next opener may need it. */
  void keepJournal() {
    kept = true;
  }

  /** Removes the journal unless it is kept, and lets others in. Ranks need not do so together. */
  @Override
  public void close() {
    // Removed while it is held: afterwards it may be another program's.
    try (journal) {
      if (rank == 0 && !kept) {
        journal.remove();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
