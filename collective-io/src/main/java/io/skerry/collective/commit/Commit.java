package io.skerry.collective.commit;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.AgreedFile;
import io.skerry.exception.FormatException;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.journal.Journal;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Puts a prepared flush into force: new blocks and data synced, the blocks to be replaced
 * journalled and synced, the superblock marked and synced, the blocks written in place, synced, the
 * new superblock last, then the journal cleared. Killed at any point, the file opens with exactly
 * the state before or after; programs that know no journal read one of them too, or refuse the
 * file.
 */
public final class Commit implements AutoCloseable {
  private final Communicator ranks;
  private final AgreedFile file;
  private final CollectiveOutcome outcome;
  private final Path path;
  private final ByteSource source;
  private final Optional<WriterLock> lock;
  private final long base;
  private long committedEnd;

  private volatile State state = State.AT_REST;

  /** Whether the next opener may need the journal. */
  private enum State {
    /** There is none. */
    AT_REST,
    /** From its first byte until it is cleared. */
    UNDER_WAY,
    /** A commit broke on the way. */
    BROKEN
  }

  /**
   * @param source independent reads of the file
   * @param lock what keeps others from it, if it is open for writing; closed with this
   * @param base byte at which addresses begin to count
   * @param committedEnd end of what the last commit wrote; 0 for a new file
   */
  public Commit(
      Communicator ranks,
      AgreedFile file,
      CollectiveOutcome outcome,
      Path path,
      ByteSource source,
      Optional<WriterLock> lock,
      long base,
      long committedEnd) {
    this.ranks = ranks;
    this.file = file;
    this.outcome = outcome;
    this.path = path;
    this.source = source;
    this.lock = lock;
    this.base = base;
    this.committedEnd = committedEnd;
  }

  /**
   * Collective.
   *
   * @param mine metadata blocks that this rank writes
   * @param superblock the new superblock, the same on all ranks
   * @param endOfFile first byte after everything
   * @throws CollectiveException if a rank failed before anything was replaced; nothing is lost
   * @throws CommitException if it failed later; the journal tells the next opener what to do
   */
  public void run(
      List<BlockImage> mine, BlockImage superblock, long endOfFile, LocalStatus status) {
    List<BlockImage> fresh = new ArrayList<>();
    List<BlockImage> replaced = new ArrayList<>();
    for (BlockImage block : mine) {
      (block.address() < committedEnd ? replaced : fresh).add(block);
    }
    // Structures of a damaged file can overlap; two blocks in one place would be half of each.
    status.attempt(() -> checkApart(mine));
    write(fresh, status);
    // Neither call waits for other ranks, and setting the size conflicts with writes behind the old
    // end (MPI 3.1, section 13.2.4): all must have written first.
    outcome.agree(status);
    file.setSize(status, endOfFile);
    file.sync(status);
    outcome.agree(status);
    List<BlockImage> top = ranks.rank() == 0 ? List.of(superblock) : List.of();
    state = State.UNDER_WAY;
    try {
      replace(replaced, top, endOfFile, status);
      committedEnd = endOfFile;
      state = State.AT_REST;
    } finally {
      if (state == State.UNDER_WAY) {
        state = State.BROKEN;
      }
    }
  }

  private static void checkApart(List<BlockImage> blocks) {
    long end = 0;
    for (BlockImage block : sorted(blocks)) {
      if (block.address() < end) {
        throw new FormatException(
                "block of metadata to be written", "behind the one before it", block.address())
            .atAddress(block.address());
      }
      end = block.address() + block.bytes().byteSize();
    }
  }

  private void replace(
      List<BlockImage> replaced, List<BlockImage> top, long endOfFile, LocalStatus status) {
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
      clearJournal(status);
    } catch (CollectiveException e) {
      throw interruptedBy(e);
    }
  }

  /**
   * Returns whether a commit broke on the way, so that the file must be opened again; not while one
   * is under way. Local.
   */
  public boolean isInterrupted() {
    return state == State.BROKEN;
  }

  private CommitException interruptedBy(CollectiveException cause) {
    return new CommitException(
        "the commit was interrupted, " + cause.reason() + ": file=" + path, cause);
  }

  /** From here to the new superblock other programs must not take the file for whole. */
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
   * Nothing was replaced yet; but a journal that stayed would be replayed over later flushes.
   *
   * @param first what has to be undone in the file before
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

  /** Writes blocks where they belong. Collective; each rank has its own, possibly none. */
  public void write(List<BlockImage> blocks, LocalStatus status) {
    try (Arena arena = Arena.ofConfined()) {
      long total = blocks.stream().mapToLong(b -> b.bytes().byteSize()).sum();
      MemorySegment slab =
          status.attempt(() -> arena.allocate(Math.max(1, total), 8), MemorySegment.NULL);
      FileView.Builder view = FileView.builder();
      status.attempt(() -> {
        long at = 0;
        for (BlockImage block : sorted(blocks)) {
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
   * Collective.
   *
   * @return whether any rank replaces blocks other than the superblock; the same on all
   * @throws CollectiveException if a rank failed; the journal is empty again
   */
  private boolean writeJournal(
      List<BlockImage> replaced,
      List<BlockImage> top,
      SuperblockMark mark,
      long endOfFile,
      LocalStatus status) {
    try {
      // Until the superblock of a new file is written nobody can open it: there is nothing to undo.
      boolean replaces = committedEnd != 0 && writeParts(replaced, top, mark, endOfFile, status);
      outcome.agree(status);
      return replaces;
    } catch (CollectiveException e) {
      withdraw(e, _ -> {});
      throw e;
    }
  }

  private boolean writeParts(
      List<BlockImage> replaced,
      List<BlockImage> top,
      SuperblockMark mark,
      long endOfFile,
      LocalStatus status) {
    List<BlockImage> blocks = new ArrayList<>(replaced);
    blocks.addAll(top);
    // Counted before it is encoded, which may fail: a journal without it must not look whole.
    int parts = blocks.isEmpty() ? 0 : 1;
    MemorySegment part =
        parts == 0
            ? MemorySegment.NULL
            : status.attempt(() -> encode(blocks, mark, endOfFile), MemorySegment.NULL);
    long at = ranks.exclusiveScan(part.byteSize(), Reduction.SUM);
    long[] sums =
        ranks.allReduce(new long[] {part.byteSize(), parts, replaced.size()}, Reduction.SUM);
    boolean several = sums[1] > 1;
    if (parts > 0) {
      status.attempt(() -> {
        journal().write(JournalFile.HEAD + at, part);
        if (several) {
          journal().sync();
        }
      });
    }
    if (several) {
      // The head makes the parts count, so it follows when all parts are on disk. A part that is
      // alone tells by its fingerprint whether all of it is there.
      outcome.agree(status);
    }
    if (ranks.rank() == 0) {
      status.attempt(() -> {
        journal().writeHead(base, sums[0], (int) sums[1]);
        journal().sync();
      });
    }
    return sums[2] > 0;
  }

  private MemorySegment encode(List<BlockImage> blocks, SuperblockMark mark, long endOfFile) {
    Journal journal = mark.in(Journal.of(source, committedEnd, endOfFile, blocks));
    MemorySegment body = journal.encode();
    return ByteWriter.create().u64(body.byteSize()).bytes(body).written();
  }

  private static List<BlockImage> sorted(List<BlockImage> blocks) {
    return blocks.stream().sorted(Comparator.comparingLong(BlockImage::address)).toList();
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

  /** Lets the journal stay if the next opener may need it. Local. */
  @Override
  public void close() {
    if (state != State.AT_REST) {
      lock.ifPresent(WriterLock::keepJournal);
    }
    lock.ifPresent(WriterLock::close);
  }
}
