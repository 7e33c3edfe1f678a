package io.skerry.collective.commit;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.journal.Journal;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Writes the journal of a commit, of which each rank writes the parts for the blocks that it
 * replaces.
 *
 * @param source the bytes of the file before the commit
 * @param base the base address of the file
 * @param division the division of the blocks of a rank into parts
 * @param journal returns the journal, which the rank has locked
 */
record JournalWriter(
    Communicator ranks,
    CollectiveOutcome outcome,
    ByteSource source,
    long base,
    JournalParts division,
    Supplier<JournalFile> journal) {

  /**
   * The ends of the file, relative to the base address.
   *
   * @param before the end of the file before the commit
   * @param after the end of the file after the commit
   */
  record Ends(long before, long after) {}

  /**
   * Writes and syncs the journal. Collective; the caller agrees on the status afterwards.
   *
   * @param replaced the blocks that this rank replaces, apart from the superblock
   * @param top the superblock, on the rank that writes it
   * @return true if any rank replaces blocks other than the superblock; equal on all ranks
   */
  boolean write(
      List<BlockImage> replaced,
      List<BlockImage> top,
      SuperblockMark mark,
      Ends ends,
      LocalStatus status) {
    List<BlockImage> blocks = new ArrayList<>(replaced);
    blocks.addAll(top);
    // The parts are counted before they are encoded. If encoding fails, a journal without these
    // parts must not appear complete.
    List<List<BlockImage>> parts = division.divide(blocks);
    List<MemorySegment> encoded =
        status.attempt(
            () -> parts.stream().map(part -> encode(part, mark, ends)).toList(), List.of());
    long bytes = encoded.stream().mapToLong(MemorySegment::byteSize).sum();
    long at = ranks.exclusiveScan(bytes, Reduction.SUM);
    long[] sums = ranks.allReduce(new long[] {bytes, parts.size(), replaced.size()}, Reduction.SUM);
    boolean several = sums[1] > 1;
    if (!parts.isEmpty()) {
      status.attempt(() -> {
        long next = JournalFile.HEAD + at;
        for (MemorySegment part : encoded) {
          journal.get().write(next, part);
          next += part.byteSize();
        }
        if (several) {
          journal.get().sync();
        }
      });
    }
    if (several) {
      // The head makes the journal complete, so it is written after all parts are on disk. A single
      // part does not need this order, since its own fingerprint shows whether it is complete.
      outcome.agree(status);
    }
    if (ranks.rank() == 0) {
      status.attempt(() -> {
        journal.get().writeHead(base, sums[0], (int) sums[1]);
        journal.get().sync();
      });
    }
    return sums[2] > 0;
  }

  private MemorySegment encode(List<BlockImage> blocks, SuperblockMark mark, Ends ends) {
    Journal encoded = mark.in(Journal.of(source, ends.before(), ends.after(), blocks));
    MemorySegment body = encoded.encode();
    return ByteWriter.create().u64(body.byteSize()).bytes(body).written();
  }
}
