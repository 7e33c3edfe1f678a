package io.skerry.internal.copy.element;

import io.skerry.collective.CollectiveFile;
import io.skerry.format.Bytes;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;

/** Copies the elements of one dataset, according to the layout of the copy. Collective. */
public final class CopiedElements {
  private final CopiedDataset work;
  private final NativeFile target;
  private final CollectiveFile file;
  private final ObjectTree tree;
  private final HeapTransfer transfer;
  private final ObjectHeader copy;
  private final CopyProgress progress;
  private final Optional<ConvertedSparsity> redefined;

  /**
   * Creates the copy operation for the elements of one dataset. Local; reads object headers.
   *
   * @param progress the progress report, which receives the number of bytes that all ranks have
   *     copied since its last call
   */
  public CopiedElements(
      CopiedDataset work, NativeFile target, HeapTransfer transfer, CopyProgress progress) {
    this.work = work;
    this.target = target;
    this.file = target.collective();
    this.tree = target.tree();
    this.transfer = transfer;
    this.progress = progress;
    this.copy = tree.header(work.address());
    this.redefined = ConvertedSparsity.of(work, copy);
  }

  /** Copies the elements. Collective. */
  public void copy() {
    NativeDataset dataset = work.dataset();
    if (dataset.isNull()
        || dataset.shape().elements() == 0
        || copy.has(ExternalFilesMessage.class)) {
      return;
    }
    RankShare share = new RankShare(dataset, transfer, file.ranks());
    switch (copy.require(LayoutMessage.class)) {
      case CompactLayout _ -> compact();
      case ContiguousLayout _ -> new CopiedBlock(work, file, tree, transfer, progress).copy(share);
      case ChunkedLayout _ ->
          new CopiedChunks(work, target, transfer, redefined, progress).copy(share);
      case VirtualLayoutMessage _ -> {}
    }
  }

  private void compact() {
    Supplier<MemorySegment> read = transfer.alike(work.dataset().readElements(Selection.all()));
    long bytes =
        file.steps()
            .together(
                Operation.COPY,
                work.path(),
                "",
                () -> {
                  progress.requireWatched();
                  MemorySegment packed = read.get();
                  tree.replace(work.address(), new CompactLayout(Bytes.of(packed)));
                  return packed.byteSize();
                });
    progress.advance(bytes);
  }
}
