package io.skerry.recovery;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.commit.JournalFile;
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
import io.skerry.parallel.Locking;
import io.skerry.recovery.FoundJournal.State;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finishes or discards a commit that was interrupted. One process does it, before others open. */
public final class JournalRecovery {
  private JournalRecovery() {}

  /**
   * Brings a file to the state of exactly one flush and removes its journal.
   *
   * @return what was found and dealt with
   * @throws IllegalStateException if a writer has the file open
   * @throws CommitException if another program changed the file since the interruption
   * @throws IOException if what has the journal's name is no journal, or cannot be locked
   */
  public static FoundJournal recover(Path file, Locking locking) throws IOException {
    return existing(file, locking, journal -> finished(file, journal));
  }

  /**
   * As {@link #recover}, for a process that will only read. Without a lock nobody can tell whether
   * a writer lives, so nothing is changed then: a journal that does not count yet, or that the file
   * holds already, may stay.
   *
   * @throws CommitException if the file holds half a flush, and there is no lock
   */
  public static FoundJournal recoverForReading(Path file, Locking locking) throws IOException {
    return existing(
        file,
        locking,
        journal -> journal.isLocked() ? finished(file, journal) : leftAlone(file, journal));
  }

  private static FoundJournal finished(Path file, JournalFile journal) throws IOException {
    Interrupted commit = Interrupted.of(file, journal);
    commit.finish();
    journal.remove();
    return commit.report();
  }

  private static FoundJournal leftAlone(Path file, JournalFile journal) throws IOException {
    Interrupted commit = Interrupted.of(file, journal);
    commit.refuseHalf();
    return commit.report();
  }

  /**
   * What {@link #recover} would find. Changes nothing.
   *
   * @throws IllegalStateException if a writer has the file open
   * @throws IOException if what has the journal's name is no journal, or cannot be locked
   */
  public static FoundJournal look(Path file, Locking locking) throws IOException {
    return existing(file, locking, journal -> Interrupted.of(file, journal).report());
  }

  /**
   * Removes the journal of a file that is about to be replaced.
   *
   * @throws IllegalStateException if a writer has the file open
   * @throws IOException if what has the journal's name is no journal, or cannot be locked
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
   * Ends a flush whose journal is lost where it stopped.
   *
   * @throws IllegalStateException if a writer has the file open, if a journal with content is
   *     beside it, or if no flush ended in the middle
   * @throws IOException if the journal's place is taken by something else, or cannot be locked
   */
  public static void withoutJournal(Path file, Locking locking) throws IOException {
    // Before a journal is made.
    var unused = midFlush(file);
    try (JournalFile journal = JournalFile.open(file)) {
      journal.lock(locking);
      if (!journal.isEmpty()) {
        throw new IllegalStateException(
            "a journal with content is beside the file: journal=" + journal.path());
      }
      try {
        // Again: a writer may have lived until now.
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
          "no flush ended in the middle, so no journal is missing: journal="
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

  /** The superblock of a file; one that is damaged is found again by whoever opens it. */
  private static Optional<Superblock> superblock(Path file) {
    try (MpiFile open = Communicator.self().openFile(file, OpenMode.READ, Map.of())) {
      return Superblock.peek(new FileSource(open, 0));
    } catch (FormatException damaged) {
      return Optional.empty();
    }
  }

  /** What is done with a journal. */
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
      if (journal.isForeign()) {
        throw new IOException(
            "what has the name of the journal is none, so it is neither used nor removed: journal="
                + journal.path());
      }
      return step.take(journal);
    }
  }

  /**
   * A commit that ended on the way.
   *
   * @param report what its journal says
   * @param base base address of the HDF5 file
   * @param pending what has to be written to finish it
   */
  private record Interrupted(FoundJournal report, long base, List<Journal> pending) {

    static Interrupted of(Path file, JournalFile journal) throws IOException {
      if (journal.isEmpty()) {
        return without(file, journal, State.EMPTY);
      }
      Optional<Whole> whole = whole(journal);
      return whole.isPresent()
          ? of(file, journal, whole.get())
          : without(file, journal, State.UNFINISHED);
    }

    /**
     * A journal of which nothing is missing.
     *
     * @param base base address of the HDF5 file
     * @param parts of the ranks
     */
    private record Whole(long base, List<Journal> parts) {}

    /**
     * Only what is in the journal tells; what is wrong with the file is no reason to discard it.
     */
    private static Optional<Whole> whole(JournalFile journal) throws IOException {
      try {
        return journal
            .content()
            .map(content ->
                new Whole(content.base(), content.parts().stream().map(Journal::decode).toList()));
      } catch (FormatException e) {
        return Optional.empty();
      }
    }

    private static Interrupted without(Path file, JournalFile journal, State state) {
      return new Interrupted(FoundJournal.without(file, journal.path(), state), 0, List.of());
    }

    private static Interrupted of(Path file, JournalFile journal, Whole whole) {
      List<Journal> pending = new ArrayList<>();
      Optional<Block> foreign = Optional.empty();
      long blocks = 0;
      long bytes = 0;
      try (MpiFile open = Communicator.self().openFile(file, OpenMode.READ, Map.of())) {
        ByteSource source = new FileSource(open, whole.base());
        for (Journal part : whole.parts()) {
          switch (part.decide(source)) {
            case REPLAY -> pending.add(part);
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
          whole.base(),
          pending);
    }

    /** Fails if the file is neither in its old nor in its new state. */
    void refuseHalf() {
      if (!pending.isEmpty()) {
        throw new CommitException(
            "a flush is under way, or was cut and waits for skerry recover; without locks nobody can"
                + " tell which: file="
                + report.file()
                + " journal="
                + report.journal());
      }
    }

    /** A journal that was damaged, or is another's, completes no flush: it may not be removed. */
    private void requireWhole() {
      superblock(report.file())
          .ifPresent(superblock -> superblock.requireWhole(report.file().toString()));
    }

    void finish() {
      if (report.foreign().isPresent()) {
        throw new CommitException(
            "the file was changed by another program after an interrupted commit; neither its old"
                + " nor its new state is whole: address="
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
        for (Journal part : pending) {
          for (Journal.Entry entry : part.entries()) {
            MemorySegment image = entry.image().segment();
            open.writeAt(base + entry.address(), image);
          }
        }
        open.sync();
      }
    }
  }
}
