package io.skerry.collective.commit;

import io.skerry.collective.live.LiveWriter;
import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.AgreedFile;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Commits a prepared flush in these steps, each of which is synced to disk before the next:
 *
 * <ol>
 *   <li>New blocks are written.
 *   <li>If other processes follow the file, the old content of all blocks that will be replaced is
 *       saved for them.
 *   <li>The new images of all blocks that will be replaced are written to the journal.
 *   <li>The superblock is marked, if any blocks other than the superblock are replaced.
 *   <li>The blocks are replaced in place.
 *   <li>The new superblock is written, and the new epoch is published.
 *   <li>The journal is cleared.
 * </ol>
 *
 * <p>The first flush of a new file replaces nothing, so it writes no journal and sets no mark.
 *
 * <p>If the process is killed at any point, the next process that opens the file finds exactly the
 * state before the flush or the state after it. Software that does not know the journal reads one
 * of these states as well, or refuses the file.
 */
public final class Commit implements AutoCloseable {
  private final Communicator ranks;
  private final AgreedFile file;
  private final CollectiveOutcome outcome;
  private final Path path;
  private final ByteSource source;
  private final Optional<WriterLock> lock;
  private final JournalWriter journalWriter;
  private final Optional<LiveWriter> live;
  private long committedEnd;

  private volatile State state = State.AT_REST;

  /**
   * The states of the journal, which determine whether the journal may be needed when the file is
   * next opened.
   */
  private enum State {
    /**
     * The journal is empty: no commit is in progress, or the new blocks of the current commit are
     * not on disk yet.
     */
    AT_REST,
    /** A commit is in progress: its new blocks are on disk, and its journal may have content. */
    UNDER_WAY,
    /** A commit failed after its new blocks were on disk, and could not be undone. */
    BROKEN
  }

  /**
   * Creates the object that commits the flushes of an open file.
   *
   * @param source the source that reads the file independently of other ranks
   * @param lock the lock of this rank, closed with this object; empty if the file is open for
   *     reading
   * @param base the base address of the file
   * @param committedEnd the end of the file after the last commit, relative to the base address; 0
   *     for a new file
   * @param live the object that publishes the epochs of the file; empty if no process may follow it
   */
  public Commit(
      Communicator ranks,
      AgreedFile file,
      CollectiveOutcome outcome,
      Path path,
      ByteSource source,
      Optional<WriterLock> lock,
      long base,
      long committedEnd,
      Optional<LiveWriter> live) {
    this(ranks, file, outcome, path, source, lock, base, committedEnd, live, JournalParts.STANDARD);
  }

  /** Creates an object that divides the journal in the given way. */
  Commit(
      Communicator ranks,
      AgreedFile file,
      CollectiveOutcome outcome,
      Path path,
      ByteSource source,
      Optional<WriterLock> lock,
      long base,
      long committedEnd,
      Optional<LiveWriter> live,
      JournalParts journalParts) {
    this.ranks = ranks;
    this.file = file;
    this.outcome = outcome;
    this.path = path;
    this.source = source;
    this.lock = lock;
    this.committedEnd = committedEnd;
    this.live = live;
    this.journalWriter =
        new JournalWriter(ranks, outcome, source, base, journalParts, this::journal);
  }

  /**
   * Writes the metadata of a flush and makes the flushed state the current state of the file.
   * Collective.
   *
   * @param mine the blocks that this rank writes: metadata, and chunks at fixed addresses
   * @param superblock the new superblock, equal on all ranks
   * @param endOfFile the end of the file after the flush, relative to the base address
   * @param status the failures of this rank in the earlier stages of the flush
   * @throws CollectiveException on all ranks if a rank failed before a block was replaced; no
   *     changes are lost
   * @throws CommitException on all ranks if a rank failed later, or if the mark cannot be removed
   *     or the journal cannot be cleared after an earlier failure; the next process that opens the
   *     file completes the flush from the journal or discards it
   */
  public void run(
      List<BlockImage> mine, BlockImage superblock, long endOfFile, LocalStatus status) {
    List<BlockImage> fresh = new ArrayList<>();
    List<BlockImage> replaced = new ArrayList<>();
    for (BlockImage block : mine) {
      (block.address() < committedEnd ? replaced : fresh).add(block);
    }
    // Structures in a damaged file can overlap. Two overlapping blocks would partly overwrite each
    // other.
    status.attempt(() -> BlockOrder.checkApart(mine));
    write(fresh, status);
    // Neither setting the size nor syncing waits for the other ranks. Setting the size conflicts
    // with writes beyond the old end (MPI 3.1, section 13.2.4), so all ranks must have written
    // first.
    outcome.agree(status);
    file.setSize(status, endOfFile);
    file.sync(status);
    outcome.agree(status);
    List<BlockImage> top = ranks.rank() == 0 ? List.of(superblock) : List.of();
    state = State.UNDER_WAY;
    try {
      saveForReaders(replaced, top, status);
      replace(replaced, top, superblock, endOfFile, status);
      committedEnd = endOfFile;
      state = State.AT_REST;
    } finally {
      if (state == State.UNDER_WAY) {
        state = State.BROKEN;
      }
    }
  }

  /**
   * Saves the old content of blocks that will be overwritten in place before the next commit. Does
   * nothing if no process may follow the file. Collective.
   *
   * @param mine the blocks that this rank will overwrite
   * @throws CollectiveException on all ranks if one of them failed before or during this call;
   *     nothing may then be overwritten
   */
  public void saveForReaders(List<Block> mine, LocalStatus status) {
    if (live.isPresent()) {
      live.get().save(source, mine, status);
    }
  }

  /** Saves the old content of blocks for processes that read the last epoch. */
  private void saveForReaders(List<BlockImage> replaced, List<BlockImage> top, LocalStatus status) {
    if (committedEnd == 0) {
      return;
    }
    List<Block> blocks =
        Stream.concat(replaced.stream(), top.stream()).map(BlockImage::block).toList();
    try {
      saveForReaders(blocks, status);
    } catch (CollectiveException e) {
      withdraw(e, _ -> {});
      throw e;
    }
  }

  private void replace(
      List<BlockImage> replaced,
      List<BlockImage> top,
      BlockImage superblock,
      long endOfFile,
      LocalStatus status) {
    SuperblockMark mark =
        status.attempt(
            () -> SuperblockMark.of(committedEnd == 0 ? List.of() : top, source),
            SuperblockMark.NONE);
    if (writeJournal(replaced, top, mark, endOfFile, status)) {
      setMark(mark, status);
    }
    try {
      write(replaced, status);
      file.sync(status);
      outcome.agree(status);
      write(top, status);
      file.sync(status);
      outcome.agree(status);
      if (live.isPresent()) {
        live.get().publish(superblock, status);
      }
      clearJournal(status);
    } catch (CollectiveException e) {
      throw interruptedBy(e);
    }
  }

  /**
   * Returns whether data were overwritten in place since the last commit in a file that other
   * processes may follow, so that a commit has something to publish. Equal on all ranks; local.
   */
  public boolean hasOverwritten() {
    return live.map(LiveWriter::hasOverwritten).orElse(false);
  }

  /**
   * Returns the object that publishes the epochs of the file; empty if no process may follow it.
   * Local.
   */
  public Optional<LiveWriter> live() {
    return live;
  }

  /**
   * Returns whether a commit failed after its new blocks were on disk and could not be undone, so
   * that the file must be opened again. False while a commit is in progress. Local.
   */
  public boolean isInterrupted() {
    return state == State.BROKEN;
  }

  private CommitException interruptedBy(CollectiveException cause) {
    return new CommitException(
        "the commit was interrupted, " + cause.reason() + ": file=" + path, cause, ranks.rankSet());
  }

  /**
   * Marks the superblock, since other programs must not accept the file as intact until the new
   * superblock is written.
   */
  private void setMark(SuperblockMark mark, LocalStatus status) {
    try {
      write(mark.set(), status);
      file.sync(status);
      outcome.agree(status);
    } catch (CollectiveException e) {
      withdraw(
          e,
          undo -> {
            write(mark.removed(), undo);
            file.sync(undo);
            outcome.agree(undo);
          });
      throw e;
    }
  }

  /**
   * Ends a commit that has failed before it replaced a block. The journal must be cleared, since it
   * would otherwise be replayed over later flushes when the file is next opened.
   *
   * @param first the action that undoes changes to the file before the journal is cleared
   * @throws CommitException on all ranks if a rank cannot undo the changes or clear the journal
   */
  private void withdraw(CollectiveException cause, Consumer<LocalStatus> first) {
    try {
      LocalStatus status = new LocalStatus();
      first.accept(status);
      clearJournal(status);
    } catch (CollectiveException e) {
      CommitException failure = interruptedBy(cause);
      failure.addSuppressed(e);
      throw failure;
    }
    state = State.AT_REST;
  }

  /**
   * Writes blocks to their addresses. Collective; each rank passes its own blocks, possibly none.
   */
  public void write(List<BlockImage> blocks, LocalStatus status) {
    try (Arena arena = Arena.ofConfined()) {
      long total = blocks.stream().mapToLong(b -> b.bytes().byteSize()).sum();
      MemorySegment slab =
          status.attempt(() -> arena.allocate(Math.max(1, total), 8), MemorySegment.NULL);
      FileView.Builder view = FileView.builder();
      status.attempt(() -> {
        long at = 0;
        for (BlockImage block : BlockOrder.sorted(blocks)) {
          long bytes = block.bytes().byteSize();
          MemorySegment.copy(block.bytes(), 0, slab, at, bytes);
          view.add(block.address(), bytes);
          at += bytes;
        }
      });
      file.writeAll(status, view.build(), slab);
    }
  }

  /**
   * Writes the journal of the commit. Collective.
   *
   * @return true if any rank replaces blocks other than the superblock; equal on all ranks
   * @throws CollectiveException on all ranks if a rank failed; the journal is then empty again
   * @throws CommitException on all ranks if a rank failed and the journal cannot be cleared
   */
  private boolean writeJournal(
      List<BlockImage> replaced,
      List<BlockImage> top,
      SuperblockMark mark,
      long endOfFile,
      LocalStatus status) {
    try {
      // A new file cannot be opened before its superblock is written, so it needs no journal.
      JournalWriter.Ends ends = new JournalWriter.Ends(committedEnd, endOfFile);
      boolean replaces =
          committedEnd != 0 && journalWriter.write(replaced, top, mark, ends, status);
      outcome.agree(status);
      return replaces;
    } catch (CollectiveException e) {
      withdraw(e, _ -> {});
      throw e;
    }
  }

  private void clearJournal(LocalStatus status) {
    if (committedEnd != 0 && ranks.rank() == 0) {
      status.attempt(() -> journal().clear());
    }
    outcome.agree(status);
  }

  private JournalFile journal() {
    return lock.orElseThrow(() -> new IllegalStateException("not open for writing: file=" + path))
        .journal();
  }

  /**
   * Releases the lock of this rank. Keeps the journal if it may be needed when the file is next
   * opened. Local.
   */
  @Override
  public void close() {
    if (state != State.AT_REST) {
      lock.ifPresent(WriterLock::keepJournal);
    }
    try {
      live.ifPresent(this::close);
    } finally {
      lock.ifPresent(WriterLock::close);
    }
  }

  /**
   * Closes the live file. It is kept, like the journal, if other ranks may still write, or if the
   * file is between two epochs.
   */
  private void close(LiveWriter writer) {
    try (writer) {
      if (ranks.rank() == 0 && !lock.map(WriterLock::keepsJournal).orElse(true)) {
        writer.finish(path);
      }
    }
  }
}
