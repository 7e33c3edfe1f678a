package io.skerry.internal.copy.element;

import io.skerry.collective.CollectiveFile;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Copies the elements of one dataset into a contiguous block: as stored bytes if possible,
 * otherwise element by element. Collective.
 */
final class CopiedBlock {
  private final CopiedDataset work;
  private final CollectiveFile file;
  private final ObjectTree tree;
  private final HeapTransfer transfer;
  private final CopyProgress progress;

  CopiedBlock(
      CopiedDataset work,
      CollectiveFile file,
      ObjectTree tree,
      HeapTransfer transfer,
      CopyProgress progress) {
    this.work = work;
    this.file = file;
    this.tree = tree;
    this.transfer = transfer;
    this.progress = progress;
  }

  void copy(RankShare share) {
    Storage kept = work.dataset().opened();
    if (kept instanceof Storage.Contiguous(Optional<Long> address) && address.isEmpty()) {
      return;
    }
    Block block = allocate();
    if (kept instanceof Storage.Contiguous(Optional<Long> from) && !transfer.isNeeded()) {
      bytes(from.orElseThrow(), block);
    } else {
      elements(share, block);
    }
  }

  private Block allocate() {
    long bytes = Math.multiplyExact(work.dataset().shape().elements(), transfer.type().size());
    return file.steps()
        .together(
            Operation.COPY,
            work.path(),
            "bytes=" + bytes,
            () -> {
              Block taken = file.space().allocateBlock(bytes);
              tree.replace(work.address(), new ContiguousLayout(taken.address(), bytes));
              return taken;
            });
  }

  private void elements(RankShare share, Block to) {
    share
        .rounds()
        .runs(run -> {
          Supplier<MemorySegment> packed = share.read(run.selection());
          long at = to.address() + run.first() * transfer.type().size();
          boolean mine = run.elements() > 0 && share.isMine();
          file.blocks()
              .store(
                  work.path(),
                  () -> {
                    progress.requireWatched();
                    return mine
                        ? List.of(new BlockImage(at, BlockKind.ELEMENTS, packed.get()))
                        : List.of();
                  });
          progress.advance(run.together() * transfer.type().size());
        });
  }

  private void bytes(long from, Block to) {
    ByteSource source = work.from().file().tree().source();
    long ranks = file.ranks().size();
    for (long at = 0; at < to.length(); at += ranks * CopyRounds.PART) {
      long mine = at + file.ranks().rank() * CopyRounds.PART;
      long bytes = Math.min(CopyRounds.PART, to.length() - mine);
      file.blocks()
          .store(
              work.path(),
              () -> {
                progress.requireWatched();
                return bytes <= 0
                    ? List.of()
                    : List.of(
                        new BlockImage(
                            to.address() + mine,
                            BlockKind.ELEMENTS,
                            read(source, from + mine, bytes)));
              });
      progress.advance(Math.min(ranks * CopyRounds.PART, to.length() - at));
    }
  }

  /** Reads a part of the source block; fails if the watcher of the copy has deleted the dataset. */
  private MemorySegment read(ByteSource source, long from, long bytes) {
    work.dataset().requirePresence();
    return source.read(from, bytes);
  }
}
