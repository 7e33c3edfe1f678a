package io.skerry.collective.commit;

import io.skerry.collective.CollectiveException;
import io.skerry.collective.CollectiveOutcome;
import io.skerry.collective.CommitException;
import io.skerry.collective.LocalStatus;
import io.skerry.collective.view.AgreedFile;
import io.skerry.format.Block;
import io.skerry.format.BlockImage;
import io.skerry.format.Journal;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.FileView;
import io.skerry.mpi.Reduction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Puts a prepared flush into force: new blocks and data synced, the blocks to be replaced journalled
 * and synced, written in place, synced, the superblock last, then the journal cleared. Killed at any
 * point, the file opens with exactly the state before or after.
 */
public final class Commit implements AutoCloseable {
  private final Communicator ranks;
  private final AgreedFile file;
  private final CollectiveOutcome outcome;
  private final Path path;
  private final long base;
  private long committedEnd;
  private Optional<JournalFile> journal = Optional.empty();
  private boolean interrupted;

  /**
   * @param base byte at which addresses begin to count
   * @param committedEnd end of what the last commit wrote; 0 for a new file
   */
  public Commit(
      Communicator ranks,
      AgreedFile file,
      CollectiveOutcome outcome,
      Path path,
      long base,
      long committedEnd) {
    this.ranks = ranks;
    this.file = file;
    this.outcome = outcome;
    this.path = path;
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
      List<BlockWrite> mine, BlockImage superblock, long endOfFile, LocalStatus status) {
    List<BlockWrite> fresh = new ArrayList<>();
    List<BlockWrite> replaced = new ArrayList<>();
    for (BlockWrite block : mine) {
      (block.address() < committedEnd ? replaced : fresh).add(block);
    }
    write(fresh, status);
    file.setSize(status, endOfFile);
    file.sync(status);
    outcome.agree(status);
    List<BlockWrite> top =
        ranks.rank() == 0
            ? List.of(new BlockWrite(superblock.address(), superblock.bytes()))
            : List.of();
    writeJournal(replaced, top, endOfFile, status);
    outcome.agree(status);
    try {
      write(replaced, status);
      file.sync(status);
      outcome.agree(status);
      write(top, status);
      file.sync(status);
      outcome.agree(status);
    } catch (CollectiveException e) {
      interrupted = true;
      throw new CommitException("the commit was interrupted: file=" + path, e);
    }
    clearJournal(status);
    committedEnd = endOfFile;
  }

  private void write(List<BlockWrite> blocks, LocalStatus status) {
    try (Arena arena = Arena.ofConfined()) {
      long total = blocks.stream().mapToLong(b -> b.bytes().byteSize()).sum();
      MemorySegment slab = arena.allocate(Math.max(1, total), 8);
      FileView.Builder view = FileView.builder();
      long at = 0;
      for (BlockWrite block : blocks.stream().sorted().toList()) {
        long bytes = block.bytes().byteSize();
        MemorySegment.copy(block.bytes(), 0, slab, at, bytes);
        view.add(block.address(), bytes);
        at += bytes;
      }
      file.writeAll(status, view.build(), slab);
    }
  }

  private void writeJournal(
      List<BlockWrite> replaced, List<BlockWrite> top, long endOfFile, LocalStatus status) {
    if (committedEnd == 0) {
      // A new file: until its superblock is written nobody can open it, so there is nothing to undo.
      return;
    }
    MemorySegment part = status.attempt(() -> encode(replaced, top), MemorySegment.NULL);
    long at = ranks.exclusiveScan(part.byteSize(), Reduction.SUM);
    long[] sums =
        ranks.allReduce(
            new long[] {part.byteSize(), part.byteSize() > 0 ? 1 : 0}, Reduction.SUM);
    status.attempt(
        () -> {
          JournalFile target = journal();
          target.write(JournalFile.HEAD + at, part);
          target.sync();
        });
    outcome.agree(status);
    if (ranks.rank() == 0) {
      // The head makes the parts count, so it follows when all parts are on disk.
      status.attempt(
          () -> {
            journal().writeHead(sums[0], (int) sums[1]);
            journal().sync();
          });
    }
  }

  private MemorySegment encode(List<BlockWrite> replaced, List<BlockWrite> top) {
    List<Journal.Replacement> blocks = new ArrayList<>();
    for (List<BlockWrite> list : List.of(replaced, top)) {
      for (BlockWrite block : list) {
        Block place = new Block(block.address(), block.bytes().byteSize());
        blocks.add(Journal.Replacement.of(place.address(), file.read(place), block.bytes()));
      }
    }
    return blocks.isEmpty() ? MemorySegment.NULL : Journal.encode(base, blocks);
  }

  private void clearJournal(LocalStatus status) {
    if (committedEnd != 0 && ranks.rank() == 0) {
      status.attempt(() -> journal().clear());
    }
    outcome.agree(status);
  }

  private JournalFile journal() throws IOException {
    if (journal.isEmpty()) {
      journal = Optional.of(JournalFile.open(path));
    }
    return journal.get();
  }

  /** Removes the journal, unless the next opener needs it. Ranks need not call it together. */
  @Override
  public void close() {
    journal.ifPresent(
        open -> {
          try {
            open.close();
            if (ranks.rank() == 0 && !interrupted) {
              Files.deleteIfExists(open.path());
            }
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
    journal = Optional.empty();
  }
}
