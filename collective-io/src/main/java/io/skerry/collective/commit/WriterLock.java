package io.skerry.collective.commit;

import io.skerry.parallel.Locking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A lock on the journal of a file. Unless locking is off or unavailable, it excludes recoveries and
 * other writers, in this process and in others, while ranks have the file open for writing. Every
 * rank holds its own lock, because any rank may outlive the others and still have a write in
 * progress. The lock is taken before the file is read; otherwise, another program could commit
 * between the read and the lock, and the rank would overwrite that commit.
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
   * Locks a file that has been recovered, or is about to be created. Local.
   *
   * @param rank the rank of the caller, which selects the byte to lock
   * @throws IllegalStateException if the file is open for writing elsewhere, in this process or
   *     another, if it is being recovered, or if another program has begun a commit since the
   *     recovery and has not finished it
   * @throws IOException if locks are required but the file system does not lock files or does not
   *     respond in time, if the journal cannot be created or opened, or if the file at its path
   *     must not be used as a journal
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

  /**
   * Keeps the journal when this lock is closed, because it may be needed when the file is next
   * opened, or because other ranks may still hold locks on it. Local.
   */
  public void keepJournal() {
    kept = true;
  }

  /** Returns whether the journal will be kept when this lock is closed. Local. */
  boolean keepsJournal() {
    return kept;
  }

  /**
   * Releases the lock. Rank 0 first removes the journal, unless it is kept. Rank 0 must therefore
   * close its lock after the other ranks if they have opened the file. Local.
   */
  @Override
  public void close() {
    // The journal is removed while the lock is still held, because after its release another
    // program may create a journal of the same name.
    try (journal) {
      if (rank == 0 && !kept) {
        journal.remove();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
