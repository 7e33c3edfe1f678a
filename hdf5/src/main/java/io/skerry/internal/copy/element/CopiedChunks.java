package io.skerry.internal.copy.element;

import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.internal.dataset.DatasetFilters;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.open.DatasetOpener;
import io.skerry.internal.file.NativeFile;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Copies the elements of one dataset into chunks: without decoding the stored chunks if possible,
 * otherwise element by element. Collective.
 */
final class CopiedChunks {
  private final CopiedDataset work;
  private final NativeFile target;
  private final CollectiveFile file;
  private final HeapTransfer transfer;
  private final LongConsumer progress;
  private final Optional<ConvertedSparsity> redefined;

  CopiedChunks(
      CopiedDataset work,
      NativeFile target,
      HeapTransfer transfer,
      Optional<ConvertedSparsity> redefined,
      LongConsumer progress) {
    this.work = work;
    this.target = target;
    this.file = target.collective();
    this.transfer = transfer;
    this.progress = progress;
    this.redefined = redefined;
  }

  void copy(RankShare share) {
    NativeDataset copy =
        file.steps()
            .together(
                Operation.COPY,
                work.path(),
                "",
                () -> DatasetOpener.open(target, work.path(), work.address()));
    try {
      copyTo(
          copy.kept() instanceof Storage.Chunked(ChunkedDataset opened) ? opened : missing(),
          share);
    } finally {
      Reference.reachabilityFence(copy);
    }
  }

  private ChunkedDataset missing() {
    throw new IllegalStateException("the copy is not chunked: path=" + work.path());
  }

  private void copyTo(ChunkedDataset copy, RankShare share) {
    boolean asStored =
        work.dataset().kept() instanceof Storage.Chunked
            && redefined.isEmpty()
            && !transfer.isNeeded()
            && isSame(copy);
    if (asStored) {
      new StoredChunks(work, file, copy, progress).copy();
    } else {
      elements(copy, share);
    }
  }

  private void elements(ChunkedDataset copy, RankShare share) {
    NativeDataset dataset = work.dataset();
    EncodedChunks encoded = new EncodedChunks(copy, redefined);
    CopyRounds.Coverage coverage =
        redefined.map(how -> how.coverage(dataset)).orElse(CopyRounds.Coverage.STORED);
    share
        .rounds()
        .chunks(
            copy.grid(),
            coverage,
            part -> {
              Selection wanted = dataset.isSparse() ? dataset.defined(part) : part;
              MemorySegment packed = share.read(wanted);
              file.chunks()
                  .storeChunks(
                      copy, () -> share.isMine() ? encoded.images(wanted, packed) : Map.of());
              progress.accept(packed.byteSize() * file.ranks().size());
            });
  }

  /**
   * Returns whether the copy has the same chunk shape, filters, treatment of edge chunks and chunk
   * sections as the dataset. Stored chunks are then valid in both, provided that the elements need
   * no transfer.
   */
  private boolean isSame(ChunkedDataset copy) {
    ObjectHeader old = work.dataset().header();
    ObjectHeader made = target.tree().header(work.address());
    ChunkedLayout layout = copy.index().layout();
    return new DatasetFilters(old).areSameAs(new DatasetFilters(made))
        && old.require(LayoutMessage.class) instanceof ChunkedLayout stored
        && stored.chunk().equals(layout.chunk())
        && stored.edges() == layout.edges()
        && stored.form().sections() == layout.form().sections();
  }
}
