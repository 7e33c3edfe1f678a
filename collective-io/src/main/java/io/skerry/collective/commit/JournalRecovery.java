package io.skerry.collective.commit;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.multifile.FileSource;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.journal.Journal;
import io.skerry.format.superblock.Superblock;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FoundJournal;
import io.skerry.parallel.FoundJournal.State;
import io.skerry.parallel.Locking;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finishes or discards an interrupted commit. Unlike in {@link FileRecovery}, the path is that of
 * the file that has the superblock.
 *
 * <p>All methods are local: one process calls them before the ranks open the file. They are
 * thread-safe if files are locked: a call for a file that another call is recovering waits for up
 * to 60 seconds by default. An interrupt does not end the wait; the interrupt flag stays set. They
 * throw {@link IOException} if the file with the name of the journal is not regular, has a second
 * hard link, or belongs, in a shared folder with the sticky bit, to a user other than this one and
 * the owners of the folder and of the HDF5 file. They throw {@link io.skerry.mpi.MpiException} if
 * the HDF5 file cannot be opened, read or written, and {@link OutOfMemoryError} if a part of the
 * journal, normally of at most 1 GiB, does not fit into memory; the call can then be repeated.
 */
public final class JournalRecovery {
  private JournalRecovery() {}

  /**
   * Restores the file to the state of exactly one flush and removes the journal. Does nothing if
   * there is no journal. Local.
   *
   * @param file the file that has the superblock
   * @param locking the use of locks
   * @return the journal as it was found, before it was replayed or discarded
   * @throws IllegalStateException if a writer or another recovery has locked the file
   * @throws CommitException if another program changed the file after the interruption
   * @throws FormatException if the interrupted flush had replaced blocks, and the journal beside
   *     the file is empty or incomplete, or belongs to another flush
   * @throws IOException if a file of another kind has the name of the journal, or the journal
   *     cannot be read, removed or locked
   */
  public static FoundJournal recover(Path file, Locking locking) throws IOException {
    return existing(file, locking, journal -> finished(file, journal));
  }

  /**
   * Recovers a file for a process that will only read it. With a lock, this method acts like {@link
   * #recover}. Without a lock, a writer may be active, so neither the file nor the journal is
   * changed. A journal that is incomplete, or whose blocks are all in the file, may therefore
   * remain. Local.
   *
   * @param file the file that has the superblock
   * @param locking the use of locks
   * @return the journal as it was found
   * @throws IllegalStateException if a writer or another recovery has locked the file
   * @throws CommitException if another program changed the file after the interruption and the file
   *     is locked, or if the journal must be replayed and the file is not locked
   * @throws FormatException in the same cases as {@link #recover}, if the file is locked
   * @throws IOException if a file of another kind has the name of the journal, or the journal
   *     cannot be read, removed or locked
   */
  public static FoundJournal recoverForReading(Path file, Locking locking) throws IOException {
    return existing(
        file,
        locking,
        journal -> journal.isLocked() ? finished(file, journal) : leftAlone(file, journal));
  }

  private static FoundJournal finished(Path file, JournalFile journal) throws IOException {
    Interrupted commit = Interrupted.of(file, journal);
    commit.finish(journal);
    journal.remove();
    return commit.report();
  }

  private static FoundJournal leftAlone(Path file, JournalFile journal) throws IOException {
    Interrupted commit = Interrupted.of(file, journal);
    commit.refuseHalf();
    return commit.report();
  }

  /**
   * Describes the journal of a file, and changes neither the file nor the journal. Local.
   *
   * @param file the file that has the superblock
   * @param locking the use of locks
   * @return the journal and its state
   * @throws IllegalStateException if a writer or another recovery has locked the file
   * @throws IOException if a file of another kind has the name of the journal, or the journal
   *     cannot be read or locked
   */
  public static FoundJournal look(Path file, Locking locking) throws IOException {
    return existing(file, locking, journal -> Interrupted.of(file, journal).report());
  }

  /**
   * Removes the journal of a file that is about to be replaced. Local.
   *
   * @param file the file that has the superblock; need not exist
   * @param locking the use of locks
   * @throws IllegalStateException if a writer or another recovery has locked the file
   * @throws IOException if a file of another kind has the name of the journal, or the journal
   *     cannot be read, removed or locked
   */
  public static void forget(Path file, Locking locking) throws IOException {
    var unused =
        existing(
            file,
            locking,
            journal -> {
              journal.remove();
              return FoundJournal.without(file, journal.path(), State.UNFINISHED);
            });
  }

  /**
   * Declares an interrupted flush complete although its journal is lost. In the superblock, the
   * mark of the interrupted flush is removed and the end-of-file address is set to the size of the
   * file; all other blocks are left unchanged. Local.
   *
   * @param file the file that has the superblock
   * @param locking the use of locks
   * @throws IllegalStateException if a writer or another recovery has locked the file, if there is
   *     a journal with content, or if the superblock is damaged or does not show that a flush was
   *     interrupted while it replaced blocks
   * @throws IOException if a file that is not a journal has its name, or if the journal cannot be
   *     created, read, removed or locked
   */
  public static void withoutJournal(Path file, Locking locking) throws IOException {
    // This check comes first, so that no journal is created beside a file that needs none.
    var unused = midFlush(file);
    try (JournalFile journal = JournalFile.open(file)) {
      journal.lock(locking);
      requireOwn(journal);
      if (!journal.isEmpty()) {
        throw new IllegalStateException(
            "a journal with content is beside the file: journal=" + journal.path());
      }
      try {
        // The check is repeated under the lock, since a writer may have been active until now.
        end(file, midFlush(file));
      } finally {
        journal.remove();
      }
    }
  }

  private static Superblock midFlush(Path file) throws IOException {
    Optional<Superblock> found = superblock(file).filter(Superblock::isMidFlush);
    if (found.isEmpty()) {
      throw new IllegalStateException(
          "no flush was interrupted, so no journal is missing: journal="
              + JournalFile.pathOf(file));
    }
    return found.get();
  }

  private static void end(Path file, Superblock superblock) {
    try (MpiFile open = Communicator.self().openFile(file, OpenMode.WRITE, Map.of())) {
      long base = superblock.baseAddress();
      ByteWriter out = ByteWriter.create();
      superblock.withEndOfFile(open.size() - base).encode(out);
      open.writeAt(base, out.written());
      open.sync();
    }
  }

  /**
   * Returns the superblock of a file; empty if it is missing or damaged, which the next attempt to
   * open the file reports.
   */
  private static Optional<Superblock> superblock(Path file) {
    try (MpiFile open = Communicator.self().openFile(file, OpenMode.READ, Map.of())) {
      return Superblock.peek(new FileSource(open, 0));
    } catch (FormatException damaged) {
      return Optional.empty();
    }
  }

  /** An action on an existing journal, after it has been locked as the locking option requires. */
  @FunctionalInterface
  private interface Step {
    FoundJournal take(JournalFile journal) throws IOException;
  }

  private static FoundJournal existing(Path file, Locking locking, Step step) throws IOException {
    Optional<JournalFile> found = JournalFile.existing(file);
    if (found.isEmpty()) {
      return FoundJournal.without(file, JournalFile.pathOf(file), State.ABSENT);
    }
    try (JournalFile journal = found.get()) {
      journal.lock(locking);
      requireOwn(journal);
      return step.take(journal);
    }
  }

  private static void requireOwn(JournalFile journal) throws IOException {
    if (journal.isForeign()) {
      throw new IOException(
          "the file with the name of the journal is not a journal, so it is neither used nor removed: journal="
              + journal.path());
    }
  }

  /**
   * A commit that was interrupted.
   *
   * @param report the journal of the commit
   * @param base the base address of the HDF5 file
   * @param pending the parts of the journal that must be replayed to finish the commit
   */
  private record Interrupted(FoundJournal report, long base, List<JournalFile.Part> pending) {

    static Interrupted of(Path file, JournalFile journal) throws IOException {
      if (journal.isEmpty()) {
        return without(file, journal, State.EMPTY);
      }
      Optional<JournalFile.Content> content = journal.content();
      return content.isPresent() && areWhole(journal, content.get())
          ? of(file, journal, content.get())
          : without(file, journal, State.UNFINISHED);
    }

    /**
     * Returns true if each part can be decoded and its file ends before byte 2^63 - 1. The parts
     * are not kept, since the journal may not fit into memory. Only errors in the journal itself
     * are considered, since an error in the HDF5 file is no reason to discard the journal.
     */
    private static boolean areWhole(JournalFile journal, JournalFile.Content content)
        throws IOException {
      try {
        for (JournalFile.Part part : content.parts()) {
          if (Journal.decode(journal.read(part)).newEndOfFile() > Long.MAX_VALUE - content.base()) {
            return false;
          }
        }
        return true;
      } catch (FormatException e) {
        return false;
      }
    }

    private static Interrupted without(Path file, JournalFile journal, State state) {
      return new Interrupted(FoundJournal.without(file, journal.path(), state), 0, List.of());
    }

    private static Interrupted of(Path file, JournalFile journal, JournalFile.Content content)
        throws IOException {
      List<JournalFile.Part> pending = new ArrayList<>();
      Optional<Block> foreign = Optional.empty();
      long blocks = 0;
      long bytes = 0;
      try (MpiFile open = Communicator.self().openFile(file, OpenMode.READ, Map.of())) {
        ByteSource source = new FileSource(open, content.base());
        for (JournalFile.Part place : content.parts()) {
          Journal part = Journal.decode(journal.read(place));
          switch (part.decide(source)) {
            case REPLAY -> pending.add(place);
            case REFUSE -> foreign = foreign.or(() -> part.foreign(source));
            case ALREADY_DONE -> {}
          }
          blocks += part.entries().size();
          bytes += part.entries().stream().mapToLong(entry -> entry.image().size()).sum();
        }
      }
      State state =
          foreign.isPresent() ? State.REFUSED : pending.isEmpty() ? State.DONE : State.PENDING;
      return new Interrupted(
          new FoundJournal(
              file,
              journal.path(),
              state,
              blocks,
              bytes,
              foreign.stream().mapToLong(Block::address).findFirst()),
          content.base(),
          pending);
    }

    /**
     * Throws an exception if the journal must be replayed, since the file may then hold an
     * incomplete flush.
     */
    void refuseHalf() {
      if (!pending.isEmpty()) {
        throw new CommitException(
            "a flush is running, or was interrupted and needs skerry recover; without locks, these"
                + " cases cannot be distinguished: file="
                + report.file()
                + " journal="
                + report.journal());
      }
    }

    /**
     * Throws an exception if the superblock is still marked. The journal is then damaged or belongs
     * to another flush, so it cannot complete the interrupted flush and must not be removed.
     */
    private void requireWhole() {
      superblock(report.file())
          .ifPresent(superblock -> superblock.requireWhole(report.file().toString()));
    }

    void finish(JournalFile journal) throws IOException {
      if (report.foreign().isPresent()) {
        throw new CommitException(
            "the file was changed by another program after an interrupted commit, so neither its old"
                + " nor its new state can be restored: address="
                + report.foreign().getAsLong()
                + " file="
                + report.file()
                + " journal="
                + report.journal());
      }
      if (pending.isEmpty()) {
        requireWhole();
        return;
      }
      try (MpiFile open = Communicator.self().openFile(report.file(), OpenMode.WRITE, Map.of())) {
        for (JournalFile.Part part : pending) {
          for (Journal.Entry entry : Journal.decode(journal.read(part)).entries()) {
            MemorySegment image = entry.image().segment();
            open.writeAt(base + entry.address(), image);
          }
        }
        open.sync();
      }
    }
  }
}
