package io.skerry.recovery;

import io.skerry.collective.commit.JournalRecovery;
import io.skerry.collective.multifile.MultifileSearch;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FoundJournal;
import io.skerry.parallel.Locking;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finishes or discards a flush that was interrupted because its process was killed. Opening a file
 * does the same, unless it is opened for reading without a lock. These methods are for programs
 * that report the result, or that make the file readable for other software. Methods without a
 * {@code locking} parameter use the default of the {@linkplain Locking#ofProcess process}.
 *
 * <p>All methods are local: one process calls them, while no writer has the file open. They are
 * thread-safe if files are locked: a call for a file that another call is recovering waits for up
 * to 60 seconds by default. An interrupt does not end the wait; the interrupt flag stays set.
 *
 * <p>All methods throw {@link IOException} if the file with the name of the journal is not regular,
 * has a second hard link, or belongs, in a shared folder with the sticky bit, to a user other than
 * this one and the owners of the folder and of the HDF5 file. They throw {@link
 * io.skerry.mpi.MpiException} if the HDF5 file cannot be opened, read or written, and {@link
 * OutOfMemoryError} if a part of the journal, normally of at most 1 GiB, does not fit into memory;
 * the call can then be repeated. Methods without a {@code locking} parameter throw {@link
 * IllegalArgumentException} if the system property {@value Locking#PROPERTY} has an invalid value.
 *
 * <p>A lost journal is not an error here; opening the file then throws a {@link
 * io.skerry.exception.FormatException}.
 */
public final class FileRecovery {
  private FileRecovery() {}

  /**
   * Restores the file to the state of exactly one flush: the last flush that was acknowledged, or
   * the one after it. Does nothing if there is no journal. May be called again, even after an
   * earlier call was interrupted. Local.
   *
   * @param path a file, or the name of a file that is stored as several member files: the pattern
   *     of a family, its first member, or the common prefix of the members of a multi file. The
   *     journal is beside the member with the superblock.
   * @return the journal as it was found, before it was replayed or discarded; empty if there is no
   *     such file
   * @throws IllegalStateException if a writer or another recovery has locked the file
   * @throws CommitException if another program changed the file after the interrupted flush; the
   *     message gives the file and the address
   * @throws io.skerry.exception.FormatException if the interrupted flush had replaced blocks, and
   *     the journal beside the file is empty or incomplete, or belongs to another flush
   * @throws IOException if a file of another kind has the name of the journal, or the journal
   *     cannot be read, removed or locked
   */
  public static Optional<FoundJournal> recover(Path path) throws IOException {
    Optional<Path> file = MultifileSearch.withSuperblock(path);
    return file.isPresent()
        ? Optional.of(JournalRecovery.recover(file.get(), Locking.ofProcess()))
        : Optional.empty();
  }

  /**
   * Makes a file readable if its writer was killed while it replaced blocks and the journal has
   * since been lost. The file may hold parts of two flushes. {@code verify} finds parts that
   * contradict each other; other mixtures remain undetected. Local.
   *
   * @param path the path of the file, as for {@link #recover}
   * @return the file with the superblock; empty if there is no such file
   * @throws IllegalStateException if a writer or another recovery has locked the file, if there is
   *     a journal with content, or if the superblock is damaged or does not show that a flush was
   *     interrupted while it replaced blocks
   * @throws IOException if a file that is not a journal has its name, or if the journal cannot be
   *     created, read, removed or locked
   */
  public static Optional<Path> withoutJournal(Path path) throws IOException {
    Optional<Path> file = MultifileSearch.withSuperblock(path);
    if (file.isPresent()) {
      JournalRecovery.withoutJournal(file.get(), Locking.ofProcess());
    }
    return file;
  }

  /**
   * Recovers a file that the caller will open for reading. Without a lock, neither the file nor the
   * journal is changed, since a writer may be using them. Local.
   *
   * @param path the path of the file, as for {@link #recover}; need not exist
   * @param locking the use of locks
   * @throws IllegalStateException if a writer or another recovery has locked the file
   * @throws CommitException if the file is locked and another program changed it after the
   *     interrupted flush, or if the file is not locked and the journal must be replayed
   * @throws io.skerry.exception.FormatException if the file is locked, the interrupted flush had
   *     replaced blocks, and the journal beside the file is empty or incomplete, or belongs to
   *     another flush
   * @throws IOException if a file of another kind has the name of the journal, or the journal
   *     cannot be read, removed or locked
   */
  public static void forReading(Path path, Locking locking) throws IOException {
    Optional<Path> file = MultifileSearch.withSuperblock(path);
    if (file.isPresent()) {
      var unused = JournalRecovery.recoverForReading(file.get(), locking);
    }
  }

  /**
   * Recovers a file that the caller will open for writing. Local.
   *
   * @param path the path of the file, as for {@link #recover}; need not exist
   * @param locking the use of locks
   * @throws IllegalStateException if a writer or another recovery has locked the file
   * @throws CommitException if another program changed the file after the interrupted flush
   * @throws io.skerry.exception.FormatException if the interrupted flush had replaced blocks, and
   *     the journal beside the file is empty or incomplete, or belongs to another flush
   * @throws IOException if a file of another kind has the name of the journal, or the journal
   *     cannot be read, removed or locked
   */
  public static void forWriting(Path path, Locking locking) throws IOException {
    Optional<Path> file = MultifileSearch.withSuperblock(path);
    if (file.isPresent()) {
      var unused = JournalRecovery.recover(file.get(), locking);
    }
  }

  /**
   * Removes the journal of a file that is about to be replaced, even if the journal is complete: it
   * does not apply to the new file. Local.
   *
   * @param path the path of the file that has the superblock; need not exist
   * @throws IllegalStateException if a writer or another recovery has locked the file
   * @throws IOException if a file of another kind has the name of the journal, or the journal
   *     cannot be read, removed or locked
   */
  public static void forget(Path path) throws IOException {
    JournalRecovery.forget(path, Locking.ofProcess());
  }

  /**
   * Describes the journal of a file, and changes neither the file nor the journal. Local.
   *
   * @param path the path of the file, as for {@link #recover}
   * @return the journal and its state; empty if there is no such file
   * @throws IllegalStateException if a writer or another recovery has locked the file
   * @throws IOException if a file of another kind has the name of the journal, or the journal
   *     cannot be read or locked
   */
  public static Optional<FoundJournal> look(Path path) throws IOException {
    Optional<Path> file = MultifileSearch.withSuperblock(path);
    return file.isPresent()
        ? Optional.of(JournalRecovery.look(file.get(), Locking.ofProcess()))
        : Optional.empty();
  }
}
